//! The spans of each kind of task.

use std::{future::pending, time::Duration};

use cot_core::{
    model::{ModelReply, ScriptedModel, ToolCall},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tracing::info;

use crate::recorder::{Checker, Recorder, alone};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Text {
    pub(crate) text: String,
}

fn reply(text: &str) -> ModelReply {
    json!({ "text": text }).into()
}

cot_process! {
    process Inner {
        state: Text,
        task think -> Text { prompt: "Think.", update: { text = output.text }, next: over }
        task over { end }
    }
}

cot_process! {
    process Kinds {
        state: State,
        tools: { look: look "Looks something up" },

        task ask -> Text {
            prompt: "Ask.",
            tools: [look],
            check: async checked,
            update: { text = output.text },
            next: run,
        }

        task run -> String { run: compute, update: { text = output }, next: inner }

        task inner {
            process: Inner with Text::default(),
            update: { text = output.text },
            next: each,
        }

        task each -> Text {
            for_each: name in state.list,
            prompt: "Describe ${name}.",
            update: { text = output.len().to_string() },
            next: both,
        }

        parallel both [left, right] => person
        task left -> String { run: one, next: left_more }
        task left_more -> String { run: two, next: person }
        task right -> String { run: one, next: person }
        task person -> Text { ask: "Well?", update: { text = output.text }, next: done }
        task done { end }
    }
}

async fn look(text: &Text) -> Result<String, String> {
    info!("looking");
    tokio::task::yield_now().await;
    info!("looked");
    Ok(text.text.clone())
}

async fn checked(_: &Text, _: &State) -> Result<(), Issues> {
    info!("checking");
    Ok(())
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    list: Vec<String>,
    text: String,
}

async fn compute(_: &State) -> Result<String, String> {
    tokio::task::yield_now().await;
    info!("computing");
    Ok("x".to_owned())
}

async fn one(_: &State) -> Result<String, String> {
    tokio::task::yield_now().await;
    Ok("1".to_owned())
}

async fn two(_: &State) -> Result<String, String> {
    info!("left is going on");
    Ok("2".to_owned())
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of spans")]
async fn every_call_has_a_span_in_those_of_its_attempt_and_its_task() {
    let _alone = alone();
    let (recorder, _guard) = Recorder::install();
    let model = ScriptedModel::new([
        ModelReply::calling([ToolCall::new("look", json!({ "text": "secret thing" }))]),
        "no JSON".into(),
        reply("a"),
        reply("b"),
        reply("c"),
        reply("d"),
    ]);
    let checker = Checker::default();
    let state = State { list: vec!["p".to_owned(), "q".to_owned()], text: String::new() };
    let person = |_| async {
        info!("a person reads");
        json!({ "text": "fine" })
    };
    let runner = Kinds::runner().model(model).person(person).instrument(checker.clone());
    info!("outside");
    runner.run(state).await.unwrap();

    let expected = [
        "run",
        "run/task:ask",
        "run/task:ask/attempt:1",
        "run/task:ask/attempt:1/call:model:ask#1@1",
        "run/task:ask/attempt:1/call:model:ask#1@1+round-1",
        "run/task:ask/attempt:1/tool:look:ask#1@1+tool-1",
        "run/task:ask/attempt:2",
        "run/task:ask/attempt:2/call:check:ask#1@2+check",
        "run/task:ask/attempt:2/call:model:ask#1@2+round-1",
        "run/task:both",
        "run/task:both/task:left",
        "run/task:both/task:left/attempt:1",
        "run/task:both/task:left/attempt:1/call:function:left#1@1",
        "run/task:both/task:left_more",
        "run/task:both/task:left_more/attempt:1",
        "run/task:both/task:left_more/attempt:1/call:function:left_more#1@1",
        "run/task:both/task:right",
        "run/task:both/task:right/attempt:1",
        "run/task:both/task:right/attempt:1/call:function:right#1@1",
        "run/task:each",
        "run/task:each/attempt:1[0]",
        "run/task:each/attempt:1[0]/call:model:each#1[0]@1",
        "run/task:each/attempt:1[1]",
        "run/task:each/attempt:1[1]/call:model:each#1[1]@1",
        "run/task:inner",
        "run/task:inner/attempt:1",
        "run/task:inner/attempt:1/task:think",
        "run/task:inner/attempt:1/task:think/attempt:1",
        "run/task:inner/attempt:1/task:think/attempt:1/call:model:inner#1/think#1@1",
        "run/task:person",
        "run/task:person/attempt:1",
        "run/task:person/attempt:1/call:person:person#1@1",
        "run/task:run",
        "run/task:run/attempt:1",
        "run/task:run/attempt:1/call:function:run#1@1",
    ];
    assert_eq!(recorder.paths(), expected);
    for (line, place) in [
        ("outside", ""),
        ("looking", "run/task:ask/attempt:1/tool:look:ask#1@1+tool-1"),
        ("looked", "run/task:ask/attempt:1/tool:look:ask#1@1+tool-1"),
        ("attempt failed", "run/task:ask/attempt:1"),
        ("checking", "run/task:ask/attempt:2/call:check:ask#1@2+check"),
        ("computing", "run/task:run/attempt:1/call:function:run#1@1"),
        ("a person reads", "run/task:person/attempt:1/call:person:person#1@1"),
        ("left is going on", "run/task:both/task:left_more/attempt:1/call:function:left_more#1@1"),
        ("run ended", "run"),
    ] {
        assert_eq!(recorder.place_of(line), place, "{line}");
    }
    let seen = recorder.seen();
    let text = format!("{seen:?}");
    assert!(!text.contains("secret thing"), "arguments are recorded");
    let find = |name, field, value: &str| {
        let mut spans = seen.spans.values();
        spans.find(|span| span.name == name && span.fields[field] == value).unwrap().fields.clone()
    };
    let run = find("run", "process", "Kinds");
    assert_eq!((&*run["end"], &*run["task"], &*run["resumed"]), ("end", "done", "false"));
    assert_eq!(run["calls"], "6");
    let call = find("call", "key", "run#1@1");
    assert_eq!(call["outcome"], "returned");
    let call = find("call", "key", "inner#1/think#1@1");
    assert_eq!((&*call["outcome"], &*call["reply_bytes"]), ("replied", "12"));
    assert_eq!(call["run"], run["run"]);
    assert_eq!(find("task", "task", "ask")["route"], "next");
    let log = checker.finish();
    assert!(log.iter().any(|line| line.starts_with("event AttemptFailed")), "{log:#?}");
}

cot_process! {
    process Stuck {
        state: Text,
        task wait -> String { run: never, timeout: 5s, next: done, on: { timeout => after } }
        task after -> String { run: never, next: done }
        task done { end }
    }
}

struct Dropped;

impl Drop for Dropped {
    fn drop(&mut self) {
        info!("dropped");
    }
}

async fn never(_: &Text) -> Result<String, String> {
    let _dropped = Dropped;
    pending().await
}

#[tokio::test(start_paused = true)]
async fn spans_of_calls_that_time_out_or_are_cancelled_or_dropped_end() {
    let _alone = alone();
    let (recorder, _guard) = Recorder::install();
    let checker = Checker::default();
    let runner = Stuck::runner().instrument(checker.clone());
    let run = runner.run(Text::default());
    assert!(tokio::time::timeout(Duration::from_secs(9), run).await.is_err());
    let after = "run/task:after/attempt:1/call:function:after#1@1";
    let paths = recorder.paths();
    assert!(paths.contains(&after.to_owned()), "{paths:?}");
    assert_eq!(recorder.lines().last().unwrap(), &("dropped".to_owned(), after.to_owned()));
    let outcomes = |recorder: &Recorder| {
        let seen = recorder.seen();
        let calls = seen.spans.values().filter(|span| span.name == "call");
        calls.map(|call| call.fields["outcome"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(outcomes(&recorder), ["timed_out", "dropped"]);
    checker.finish();

    let (recorder, _guard) = Recorder::install();
    let mut active = runner.start(Text::default()).unwrap();
    active.next().await;
    active.handle().cancel("enough");
    active.finish().report().await.unwrap();
    recorder.paths();
    assert_eq!(outcomes(&recorder), ["dropped"]);
    assert_eq!(recorder.place_of("run halted"), "run");
    let log = checker.finish();
    assert!(log.iter().any(|line| line.contains(r#"reason: "cancelled""#)), "{log:#?}");
}
