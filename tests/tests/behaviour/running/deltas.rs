//! Replies that are told while they are written.

use std::sync::{Arc, Mutex};

use cot_core::{
    ProcessEvent, RunEvent,
    model::{
        BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest, ScriptedModel,
    },
    prelude::*,
};

use super::{
    Heard,
    each::{List, Read},
    until_waiting,
};
use crate::drive::Note;

cot_process! {
    pub(crate) process Write {
        state: List,

        task write -> Note { update: { notes[] = output }, next: done }
        task done { end }
    }
}

const GOOD: &str = r#"{"text": "a", "rank": 1}"#;

/// The attempts' texts, and every other event that ends one.
fn told(events: &[ProcessEvent<Write>]) -> Vec<String> {
    let mut told = vec![String::new()];
    for event in events {
        match event {
            RunEvent::Delta { text: Some(text), attempt, item: None, .. } => {
                assert_eq!(*attempt as usize, told.len());
                told.last_mut().unwrap().push_str(text);
            }
            RunEvent::Delta { text: None, .. } => told.last_mut().unwrap().push('|'),
            RunEvent::AttemptFailed { .. } => told.push(String::new()),
            RunEvent::Committed { .. } => told.push("committed".into()),
            _ => {}
        }
    }
    told
}

async fn events(model: impl LanguageModel + 'static, on: bool) -> Vec<ProcessEvent<Write>> {
    let runner = Write::runner().model(model).token_deltas(on);
    let mut active = runner.start(List::default()).unwrap();
    let mut events = Vec::new();
    while let Some(event) = active.next().await {
        events.push(event);
    }
    events
}

#[tokio::test]
async fn all_pieces_come_before_what_becomes_of_the_attempt() {
    let model = || ScriptedModel::new(["no JSON", GOOD]).streaming(3);
    assert_eq!(told(&events(model(), true).await), ["no JSON", GOOD, "committed"]);
    assert_eq!(told(&events(model(), false).await), ["", "", "committed"]);
    let unstreamed = ScriptedModel::new([GOOD]);
    assert_eq!(told(&events(unstreamed, true).await), ["", "committed"]);
}

/// Hands on text, starts over, and never comes to an end; counts who still takes its pieces.
struct Halting(Arc<Mutex<Vec<String>>>);

impl LanguageModel for Halting {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(std::future::pending())
    }

    fn stream<'a>(
        &'a self,
        _: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            sink.push("a");
            sink.restart();
            sink.push("b");
            self.0.lock().unwrap().push("waits".into());
            tokio::task::yield_now().await;
            sink.push("c");
            std::future::pending().await
        })
    }
}

#[tokio::test]
async fn pieces_are_told_while_the_call_goes_on() {
    let waits = Arc::default();
    let runner = Write::runner().model(Halting(Arc::clone(&waits))).token_deltas(true);
    let mut active = runner.start(List::default()).unwrap();
    let events = until_waiting(&mut active);
    assert_eq!(told(&events), ["a|bc"]);
    assert!(matches!(
        events[2..],
        [
            RunEvent::Delta { .. },
            RunEvent::Delta { text: None, .. },
            RunEvent::Delta { .. },
            RunEvent::Delta { .. }
        ]
    ));
}

#[tokio::test]
async fn observers_hear_pieces_of_a_run_that_is_only_awaited() {
    let heard = Heard::default();
    let model = ScriptedModel::new([GOOD]).streaming(12);
    let runner = Write::runner().model(model).token_deltas(true).observe(heard.listen());
    runner.run(List::default()).await.unwrap();
    assert_eq!(
        heard.words(),
        [
            "TaskStarted",
            "Prompt",
            "Delta",
            "Delta",
            "Committed",
            "TaskFinished",
            "TaskFinished",
            "Finished"
        ]
    );
}

/// Streams when it is asked to, and says which way it was asked.
struct Either(Heard);

impl LanguageModel for Either {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.0.add("reply");
        Box::pin(std::future::ready(Ok(GOOD.into())))
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        _: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.0.add("stream");
        let _ = request;
        Box::pin(std::future::ready(Ok(GOOD.into())))
    }
}

#[tokio::test]
async fn a_model_streams_only_where_somebody_listens() {
    let heard = Heard::default();
    let runner = Write::runner().model(Either(heard.clone()));
    runner.run(List::default()).await.unwrap();
    runner.start(List::default()).unwrap().await.unwrap();
    let runner = runner.token_deltas(true);
    // Nobody sees the events of a run that is only awaited, and observed by nobody.
    runner.run(List::default()).await.unwrap();
    runner.start(List::default()).unwrap().finish().await.unwrap();
    let mut active = runner.start(List::default()).unwrap();
    while active.next().await.is_some() {}
    runner.observe(|_, _| {}).run(List::default()).await.unwrap();
    assert_eq!(heard.words(), ["reply", "reply", "reply", "reply", "stream", "stream"]);
}

#[tokio::test]
async fn pieces_tell_the_item_that_they_belong_to() {
    let model = ScriptedModel::from_fn(|request| format!("{} {GOOD}", request.prompt()));
    let runner = Read::runner().model(model.streaming(4)).token_deltas(true);
    let mut active = runner.start(List::new(20)).unwrap();
    let mut texts = vec![String::new(); 20];
    while let Some(event) = active.next().await {
        match event {
            RunEvent::Delta { item: Some(item), text, .. } => {
                texts[item].push_str(&text.unwrap_or_default());
            }
            RunEvent::ItemDone { item, .. } => {
                assert_eq!(texts[item], format!("{item} {GOOD}"), "told before it is done");
            }
            _ => {}
        }
    }
}
