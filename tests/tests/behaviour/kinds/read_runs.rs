//! Runs of tasks with `read`: what is recorded of mocks and panics, what tools mean, and stored positions.

use cot_core::{
    HaltReason, Machine, MachineOptions, MockMode, PanicPlace, Reply, ResumeOptions, RunEvent,
    Snapshot,
    model::{FinishReason, ModelReply, ReplySchema, ScriptedModel},
    prelude::*,
    store::MemoryStore,
    testing::Coverage,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

use crate::drive::{only, outcome, prompt, reply, started, started_with, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Pages {
    lines: Vec<String>,
    panics_at: String,
}

impl Pages {
    fn enter(&self, place: &str) {
        assert!(self.panics_at != place, "no {place}");
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Word {
    text: String,
}

async fn print(word: &Word) -> Result<String, std::io::Error> {
    Ok(word.text.clone())
}

fn line(reply: &ModelReply, pages: &Pages) -> Result<String, Issues> {
    pages.enter("read");
    match reply.text.is_empty() {
        true => Err(Issues::at("$", "is empty")),
        false => Ok(reply.text.clone()),
    }
}

fn schema(pages: &Pages) -> Option<Arc<ReplySchema>> {
    pages.enter("schema");
    None
}

fn is_new(line: &String, pages: &Pages) -> Result<(), Issues> {
    pages.enter("check");
    match pages.lines.contains(line) {
        true => Err(Issues::at("$", "is known")),
        false => Ok(()),
    }
}

fn mocked(pages: &Pages) -> Reply<String> {
    match pages.lines.len() {
        0 => "output".to_owned().into(),
        1 => Reply::json(json!("text")),
        _ => Reply::json(json!("output")),
    }
}

cot_process! {
    process Print {
        state: Pages,
        max_retries: 0,
        tools: { print: print "Prints a word" { approve: person } },

        task write -> String {
            prompt: "A line.",
            read: { reply: line, schema: schema },
            tools: [print],
            check: is_new,
            mock: mocked,
            update: lines[],
            on: { truncated => cut, exhausted => lost },
            next: { write if state.lines.len() < 2, done },
        }

        task cut { end }
        task lost { end }
        task done { end }
    }
}

#[test]
fn what_rejects_a_reply_after_the_reader_is_not_its_length() {
    let cut = |text: &str| ModelReply::new(text).finish(FinishReason::Length);
    let pages = Pages { lines: vec!["known".to_owned()], ..Pages::default() };
    let mut machine = started::<Print>(pages.clone());
    reply(&mut machine, cut("known"));
    assert_eq!(outcome(&mut machine), PrintOutcome::Lost);
    let mut machine = started::<Print>(pages);
    reply(&mut machine, cut(""));
    assert_eq!(outcome(&mut machine), PrintOutcome::Cut);
}

#[test]
fn a_panic_is_reported_with_its_place() {
    for (at, place) in
        [("read", PanicPlace::Read), ("schema", PanicPlace::Read), ("check", PanicPlace::Check)]
    {
        let pages = Pages { panics_at: at.to_owned(), ..Pages::default() };
        let mut machine = started::<Print>(pages);
        if at != "schema" {
            reply(&mut machine, "a");
        }
        let PrintOutcome::Halted(halt) = outcome(&mut machine) else { panic!("{at}") };
        let HaltReason::Panicked(panic) = halt.reason else { panic!("{:?}", halt.reason) };
        assert_eq!((panic.place, &*panic.message), (place, &*format!("no {at}")));
    }
}

#[test]
fn the_answers_of_mocks_are_recorded_as_they_are() {
    let mut options = MachineOptions::default();
    options.mock_mode = Some(MockMode::from(true));
    let mut machine = started_with::<Print>(options, Pages::default());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut answers = Vec::new();
    let mut answer = |machine: &mut Machine<Print>| {
        let call = only(machine);
        let result = runtime.block_on(call.as_function_call().unwrap().run());
        answers.push(result.clone().unwrap());
        let elapsed = crate::drive::SECOND;
        machine.handle(cot_core::Event::Ran { id: call.id, result, elapsed });
    };
    answer(&mut machine);
    answer(&mut machine);
    assert_eq!(state(&machine).lines, ["output", "text"]);
    assert_eq!(outcome(&mut machine), PrintOutcome::Done);

    let mut options = MachineOptions::default();
    options.mock_mode = Some(MockMode::from(true));
    let lines = ["output".to_owned(), "text".to_owned()].to_vec();
    let mut machine = started_with::<Print>(options, Pages { lines, ..Pages::default() });
    machine.record(true);
    answer(&mut machine);
    assert_eq!(answers, [json!("output"), json!("text"), json!("output")]);
    let replies: Vec<String> = machine
        .drain_events()
        .filter_map(|event| match event {
            RunEvent::AttemptFailed { attempt, .. } => Some(attempt.reply.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(replies, ["output"]);
}

#[tokio::test]
async fn tools_that_a_task_only_offers_need_no_person_and_no_coverage() {
    let coverage = Coverage::<Print>::new();
    for answers in [["a", "b"], ["", ""]] {
        let runner = Print::runner().model(ScriptedModel::new(answers)).observe(coverage.watch());
        runner.run(Pages::default()).await.unwrap();
    }
    let missing = coverage.missing().join("\n");
    assert!(!missing.contains("print"), "{missing}");
    let manifest = Print::describe().manifest();
    assert_eq!(manifest["tasks"][0].get("max_tool_calls"), None);
}

fn watch(pages: &Pages) -> impl FnMut(&str) -> bool + Send {
    pages.enter("until");
    let panics = pages.panics_at == "chunk";
    move |_| {
        assert!(!panics, "no chunk");
        false
    }
}

cot_process! {
    process Stream {
        state: Pages,

        task write -> String {
            prompt: "A line.",
            model: ["first", "second"],
            retry: { max: 3 },
            read: { reply: line, until: watch },
            update: lines[],
            on: { unreachable => away },
            next: done,
        }

        task away { end }
        task done { end }
    }
}

#[tokio::test]
async fn a_panic_of_until_halts_the_run_without_another_call() {
    for at in ["until", "chunk"] {
        let store = MemoryStore::default();
        for resumed in [false, true] {
            let first = Arc::new(ScriptedModel::new(["a line"]).streaming(2).recording(true));
            let runner = Stream::runner().engine("first", Arc::clone(&first));
            let runner = runner.engine("second", ScriptedModel::new(["b"]).streaming(2));
            let pages = Pages { panics_at: at.to_owned(), ..Pages::default() };
            let run = runner.store(store.clone()).run_id("run").report(pages).await.unwrap();
            let StreamOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
            let HaltReason::Panicked(panic) = halt.reason else { panic!("{:?}", halt.reason) };
            assert_eq!((panic.place, &*panic.message), (PanicPlace::Until, &*format!("no {at}")));
            assert_eq!(first.requests().len(), usize::from(!resumed));
        }
    }
}

#[expect(clippy::ptr_arg, reason = "a check receives the output")]
async fn checked(line: &String, _: &Pages) -> Result<(), Issues> {
    match line.len() {
        0..=5 => Ok(()),
        _ => Err(Issues::at("$", "is long")),
    }
}

cot_process! {
    process Checked {
        state: Pages,

        task write -> String {
            prompt: "A line.",
            read: line,
            check: async checked,
            update: lines[],
            next: done,
        }

        task done { end }
    }
}

/// A position at which an output that was read is checked, as it was stored once.
const STORED: &str = r#"{
    "calling": {
        "visit": { "task": "write" },
        "asked": {
            "call": 2,
            "attempts": [],
            "spent": { "secs": 1, "nanos": 0 },
            "checking": {
                "value": "VALUE",
                "reply": "LINE VALUE",
                "usage": { "calls": 1, "input_tokens": 7, "output_tokens": 2 },
                "elapsed": { "secs": 1, "nanos": 0 }
            }
        }
    }
}"#;

#[test]
fn a_stored_position_of_a_pending_check_stays_readable() {
    for (value, accepted) in [("short", true), ("too long", false)] {
        let mut machine = started::<Checked>(Pages::default());
        reply(&mut machine, "other");
        let mut json = serde_json::to_value(machine.snapshot().unwrap()).unwrap();
        json["position"] = serde_json::from_str(&STORED.replace("VALUE", value)).unwrap();
        let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
        let mut machine = Machine::<Checked>::resume(snapshot, ResumeOptions::new()).unwrap();
        let call = only(&mut machine);
        assert_eq!(call.key.to_string(), "write#1@1+check");
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(call.as_function_call().unwrap().run());
        machine.handle(cot_core::Event::Ran { id: call.id, result, elapsed: crate::drive::SECOND });
        match accepted {
            true => assert_eq!(outcome(&mut machine), CheckedOutcome::Done),
            false => assert!(prompt(&mut machine).contains("is long")),
        }
        assert_eq!(state(&machine).lines, [value][..usize::from(accepted)]);
    }
}
