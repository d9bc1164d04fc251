//! Runs that are resumed in the middle of a round.

use cot_core::{Action, Effect, Event};
use serde_json::json;

use super::desk::{DeskOutcome, Visit, papers, read_call, send_call};
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

#[test]
fn the_history_has_the_names_of_the_tools_and_the_round() {
    let mut visit = Visit::new(papers([read_call("a")]));
    visit.run();
    assert_eq!(visit.outcome(), DeskOutcome::Done);
    let history = serde_json::to_value(visit.machine.history()).unwrap();
    assert_eq!(history[0], json!({ "task": "work", "tools": ["read"] }));
    assert_eq!(history[1]["output"]["calls"][0][1], json!({ "text": "1" }));
}
