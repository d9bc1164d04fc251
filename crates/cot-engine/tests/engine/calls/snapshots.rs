//! Runs that are resumed in the middle of a round.

use cot_engine::{Action, Effect, Event, ResumeOptions, private::Ending};
use serde_json::{Value, json};

use super::desk::{Visit, papers, read_call, send_call};
use crate::harness::SECOND;

/// What follows from each poll, in one line each.
fn script(resumes: bool) -> Vec<String> {
    let calls = [send_call("a"), read_call("fail"), read_call("b"), read_call("cc")];
    let (mut visit, mut seen) = (Visit::new(papers(calls)), Vec::new());
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
            Action::RunFunction(_) => Event::Ran { id, result: directive.result(), elapsed },
            Action::AskHuman(_) => {
                Event::Answered { id, answer: json!({ "approved": true }), elapsed }
            }
            Action::Sleep { .. } => Event::Woken { id },
            Action::CallModel(_) => panic!("no model is called"),
        };
        visit.handle(event);
    }
    // The state is closed, so that the failed call has the round rejected.
    assert_eq!(visit.ending(), Ending::End("lost"));
    seen.push(visit.run.history_json().to_string());
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
    let mut visit = Visit::new(papers([read_call("a")]));
    visit.due();
    let stored: Value = serde_json::from_str(STORED).unwrap();
    let change = |json: &mut Value| json["position"] = stored;
    visit.run = visit.run.changed(change, &ResumeOptions::new()).unwrap();
    assert_eq!(visit.keys(), ["work#1@1+tool-2"]);
    visit.run_all();
    assert_eq!(visit.keys(), ["work#1@1+tool-3"]);
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("done"));
    assert_eq!(visit.results(), ["1", "2", "3"].map(|text| Ok(text.to_owned())));
}

#[test]
fn the_history_has_the_names_of_the_tools_and_the_round() {
    let mut visit = Visit::new(papers([read_call("a")]));
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("done"));
    let history = visit.run.history_json();
    assert_eq!(history[0], json!({ "task": "work", "tools": ["read"] }));
    assert_eq!(history[1]["output"]["calls"][0][1], json!({ "text": "1" }));
}
