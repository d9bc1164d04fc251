//! Runs that are resumed in the middle of a round.

use cot_core::{Action, Effect, Event, Machine, ResumeOptions, Snapshot};
use serde_json::json;

use super::desk::{App, DeskOutcome, Visit, papers, read_call, send_call};
use crate::drive::SECOND;

/// What follows from each poll, in one line each.
fn script(resumes: bool) -> Vec<String> {
    let calls = [send_call("a"), read_call("fail"), read_call("b"), read_call("cc")];
    let (mut visit, mut seen) = (Visit::new(papers(calls)), Vec::new());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    loop {
        if resumes {
            visit.resume();
        }
        let due = visit.due();
        let Some(directive) = due.last() else { break };
        for directive in &due {
            seen.push(format!("{} {:?} {:?}", directive.key, directive.timeout, directive.action));
        }
        let (id, elapsed) = (directive.id, SECOND);
        let event = match &directive.action {
            Action::RunFunction(call) if call.effect() == Effect::Once && !call.is_started() => {
                Event::Started { id }
            }
            Action::RunFunction(call) => {
                Event::Ran { id, result: runtime.block_on(call.run()), elapsed }
            }
            Action::AskHuman(_) => {
                Event::Answered { id, answer: json!({ "approved": true }), elapsed }
            }
            Action::Sleep { .. } => Event::Woken { id },
            Action::CallModel(_) => panic!("no model is called"),
        };
        visit.handle(event);
    }
    // The state is closed, so that the failed call has the round rejected.
    assert_eq!(visit.outcome(), DeskOutcome::Lost);
    seen.push(serde_json::to_string(visit.machine.history()).unwrap());
    seen
}

#[test]
fn a_run_that_is_resumed_before_every_event_does_the_same() {
    let expected = script(false);
    assert!(expected.len() > 8, "{expected:#?}");
    assert_eq!(script(true), expected);
}

/// A position in the middle of a round, as it was stored once.
const STORED: &str = r#"{
    "calling_tools": {
        "visit": { "task": "work" },
        "asked": { "call": 1, "attempts": [], "spent": { "secs": 1, "nanos": 0 } },
        "tools": {
            "rounds": [],
            "offered": ["read", "send", "open_drawer"],
            "calls": 3,
            "elapsed": { "secs": 1, "nanos": 0 },
            "pending": {
                "first": 1,
                "calls": [
                    { "call": { "name": "read", "arguments": "{\"text\":\"a\"}" }, "progress": { "answered": { "text": "1" } } },
                    {
                        "call": { "id": "x", "name": "read", "arguments": "{\"text\":\"bb\"}" },
                        "arguments": { "text": "bb" },
                        "progress": { "running": { "call": 2, "began": { "secs": 0, "nanos": 0 } } }
                    },
                    { "call": { "name": "read", "arguments": "{\"text\":\"ccc\"}" }, "arguments": { "text": "ccc" } }
                ]
            }
        }
    }
}"#;

#[test]
fn a_stored_position_stays_readable() {
    let mut visit = Visit::new(papers([]));
    visit.machine = {
        let mut fresh = Visit::new(papers([read_call("a")]));
        fresh.due();
        let mut json = serde_json::to_value(fresh.machine.snapshot().unwrap()).unwrap();
        json["position"] = serde_json::from_str(STORED).unwrap();
        let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
        let (options, app) = (ResumeOptions::new(), App::default());
        Machine::resume_with_context(snapshot, options, app, "run").unwrap()
    };
    assert_eq!(visit.keys(), ["work#1@1+tool-2"]);
    visit.run();
    assert_eq!(visit.keys(), ["work#1@1+tool-3"]);
    visit.run();
    assert_eq!(visit.outcome(), DeskOutcome::Done);
    assert_eq!(visit.results(), ["1", "2", "3"].map(|text| Ok(text.to_owned())));
}

#[test]
fn the_history_has_the_names_of_the_tools_and_the_round() {
    let mut visit = Visit::new(papers([read_call("a")]));
    visit.run();
    assert_eq!(visit.outcome(), DeskOutcome::Done);
    let history = serde_json::to_value(visit.machine.history()).unwrap();
    assert_eq!(history[0], json!({ "task": "work", "tools": ["read"] }));
    assert_eq!(history[1]["output"]["calls"][0][1], json!({ "text": "1" }));
}
