//! What streams and observers learn of items.

use cot_core::{
    FunctionError, ItemError, ProcessEvent, RunEvent,
    model::{ModelReply, ScriptedModel},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::drive::{Note, note};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Words {
    words: Vec<String>,
    lengths: Vec<Result<usize, ItemError>>,
    notes: Vec<Note>,
    inner: Vec<Word>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Word {
    word: String,
    note: Note,
}

async fn length(_: &Words, word: &str) -> Result<usize, FunctionError> {
    if word.is_empty() { Err(FunctionError::new("empty")) } else { Ok(word.len()) }
}

cot_process! {
    process One {
        state: Word,
        task write -> Note { full_prompt: "${state.word}", update: note, next: done }
        task done { end }
    }
}

cot_process! {
    process Count {
        state: Words,
        sequence all [lengths, notes, inner, done]

        task lengths -> usize {
            for_each: word in state.words,
            run: length,
            collect: ok,
            update: lengths,
        }

        task notes -> Note { for_each: word in state.words, full_prompt: "${word}", update: notes }

        task inner {
            for_each: word in state.words,
            process: One with Word { word: word.clone(), note: Note::default() },
            update: inner,
        }

        task done { end }
    }
}

fn model() -> ScriptedModel {
    ScriptedModel::from_fn(|request| {
        ModelReply::from(note(request.prompt().lines().next().unwrap_or(""), 2))
    })
}

#[tokio::test]
async fn the_output_of_each_item_is_in_the_stream_with_its_type() {
    let words = Words { words: vec!["a".into(), String::new(), "abc".into()], ..Words::default() };
    let mut run = Count::runner().model(model()).start(words).unwrap();
    let (mut lengths, mut notes, mut inner, mut failed, mut nested) =
        (vec![], vec![], vec![], vec![], vec![]);
    while let Some(event) = run.next().await {
        let event: ProcessEvent<Count> = event;
        match &event {
            RunEvent::ItemDone { task, item, output, .. } => match output {
                CountOutput::Lengths(list) => {
                    assert_eq!(*task, CountTask::Lengths);
                    lengths.push((*item, list.clone()));
                }
                CountOutput::Notes(list) => notes.push((*item, list[0].text.clone(), list.len())),
                CountOutput::Inner(list) => inner.push((*item, list[0].note.text.clone())),
            },
            RunEvent::ItemFailed { item, reason, .. } => {
                failed.push((*item, reason.clone(), event.to_string()));
            }
            RunEvent::Nested { item, .. } => {
                if let Some(RunEvent::Committed { output, .. }) = event.nested::<One>() {
                    let OneOutput::Write(note) = output;
                    nested.push((item.unwrap(), note.text));
                }
            }
            _ => {}
        }
    }
    lengths.sort_by_key(|(item, _)| *item);
    assert_eq!(lengths, [(0, vec![Ok(1)]), (2, vec![Ok(3)])]);
    let reason = "the function failed: empty".to_owned();
    assert_eq!(failed, [(1, reason.clone(), format!("lengths[1]: failed: {reason}"))]);
    notes.sort();
    let text = |item: usize| ["a", "", "abc"][item].to_owned();
    assert_eq!(notes, [0, 1, 2].map(|item| (item, text(item), 1)));
    inner.sort();
    nested.sort();
    assert_eq!(inner, [0, 1, 2].map(|item| (item, text(item))));
    assert_eq!(nested, inner);
}
