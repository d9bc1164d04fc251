//! Replies in a format of the program's own: what is asked, what the function receives, and what follows from it.

use cot_core::{
    model::{FinishReason, ModelReply, ToolCall},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::{call, history, outcome, prompt, reply, request, started, state};

/// An output without a schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Move {
    pub(crate) word: String,
    pub(crate) calls: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Game {
    pub(crate) words: Vec<String>,
    pub(crate) calls: Vec<String>,
}

fn read_move(reply: &ModelReply, game: &Game, cx: &Cx<'_, Play>) -> Result<Move, Issues> {
    let calls = reply.tool_calls.iter().map(|call| format!("{call}")).collect();
    let word = match reply.text.trim().strip_prefix("MOVE ") {
        Some(word) => word.to_owned(),
        None if !reply.tool_calls.is_empty() => String::new(),
        None => return Err(Issues::at("$", format!("begin with MOVE ({})", cx.attempt()))),
    };
    match game.words.contains(&word) {
        true => Err(Issues::at("$", format!("{word} was played"))),
        false => Ok(Move { word, calls }),
    }
}

fn is_short(output: &Move, _: &Game) -> Result<(), Issues> {
    match output.word.len() {
        0..=9 => Ok(()),
        _ => Err(Issues::at("$.word", "is too long")),
    }
}

async fn roll(_: &Die) -> Result<u8, std::io::Error> {
    panic!("the task makes no calls itself")
}

#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema, CotOutput)]
pub(crate) struct Die {
    sides: u8,
}

cot_process! {
    pub(crate) process Play {
        state: Game,
        max_retries: 1,
        tools: { roll: roll "Throws a die" },

        task play -> Move {
            prompt: "Write MOVE and a word.",
            read: read_move,
            check: is_short,
            tools: [roll],
            update: { words[] = output.word, calls = output.calls },
            on: { exhausted => lost, truncated => cut, refused => refused },
            next: { play if state.words.len() < 2, done },
        }

        task lost { fail: "no move" }
        task cut { end }
        task refused { end }
        task done { end }
    }
}

#[test]
fn the_function_reads_the_text_and_its_output_is_committed() {
    let mut machine = started::<Play>(Game::default());
    let asked = reply(&mut machine, " MOVE tree\n");
    assert_eq!(asked.schema, None);
    for text in [asked.prompt().to_owned(), asked.prompt_without_format().into_owned()] {
        assert!(text.ends_with("Write MOVE and a word."), "{text}");
    }
    assert_eq!(state(&machine).words, ["tree"]);
    let entry = json!({ "task": "play", "output": { "word": "tree", "calls": [] } });
    assert_eq!(history(&machine)[0], entry);
    reply(&mut machine, "MOVE house");
    assert_eq!(outcome(&mut machine), PlayOutcome::Done);
}

#[test]
fn issues_of_the_function_and_of_the_check_are_shown_at_the_retry() {
    for (wrong, issue) in [
        ("house", "begin with MOVE (1)"),
        ("{\"word\": \"a\"}", "begin with MOVE (1)"),
        ("MOVE abcdefghijk", "is too long"),
        ("", "begin with MOVE (1)"),
    ] {
        let mut machine = started::<Play>(Game::default());
        reply(&mut machine, wrong);
        assert!(prompt(&mut machine).contains(issue), "{wrong}");
        assert_eq!(state(&machine), &Game::default());
        reply(&mut machine, wrong);
        assert!(matches!(outcome(&mut machine), PlayOutcome::Lost(_)));
    }
}

#[test]
fn a_truncated_reply_is_accepted_if_the_function_reads_it() {
    let cut = |text: &str| ModelReply::new(text).finish(FinishReason::Length);
    let mut machine = started::<Play>(Game::default());
    reply(&mut machine, cut("MOVE tree"));
    assert_eq!(state(&machine).words, ["tree"]);
    reply(&mut machine, cut("MOV"));
    assert_eq!(outcome(&mut machine), PlayOutcome::Cut);

    let mut machine = started::<Play>(Game::default());
    reply(&mut machine, cut("MOVE abcdefghijk"));
    assert!(prompt(&mut machine).contains("is too long"), "the reader accepted it");
    assert_eq!(state(&machine), &Game::default());
}

#[test]
fn a_refusal_is_not_read() {
    let mut machine = started::<Play>(Game::default());
    reply(&mut machine, ModelReply::new("MOVE tree").finish(FinishReason::Refusal));
    assert_eq!(outcome(&mut machine), PlayOutcome::Refused);
}

#[test]
fn tool_calls_are_offered_and_handed_to_the_function() {
    let mut machine = started::<Play>(Game::default());
    let call = call(&mut machine);
    let asked = request(&call);
    assert_eq!(asked.tools[0].name(), "roll");
    let plain = asked.in_form_for(false);
    assert_eq!((plain.prompt(), plain.tools.len()), (asked.prompt(), 0));
    let calls = [ToolCall::new("roll", json!({ "sides": 6 })), ToolCall::new("fly", json!({}))];
    reply(&mut machine, ModelReply::calling(calls));
    assert_eq!(state(&machine).calls, [r#"roll({"sides":6})"#, "fly({})"]);
}

#[test]
fn a_reply_of_more_than_a_megabyte_is_not_read() {
    let mut machine = started::<Play>(Game::default());
    reply(&mut machine, format!("MOVE {}", "x".repeat(1 << 20)));
    assert!(prompt(&mut machine).contains("bytes: at most 1048576 are read"));
}
