//! People who approve calls.

use std::time::Duration;

use cot_engine::{Approval, Effect, Event, EventOutcome, HaltReason, SourceTool, private::Ending};
use serde_json::json;

use super::shop::{Visit, key, open, words};

fn asked(visit: &mut Visit) -> String {
    visit.only().as_question().unwrap().text.clone()
}

#[test]
fn a_person_sees_the_call_and_approves_it() {
    let mut visit = Visit::new(open());
    visit.call(&[("pay", json!({ "cents": 500 }))]);
    assert_eq!(key(&mut visit).approval(), Some(1));
    assert_eq!(
        asked(&mut visit),
        "The model wants to call the tool `pay`: Charges the card\n\nThe task: Answer.\n\n\
         The arguments:\n{\n  \"cents\": 500\n}\n\nMay the tool be called?"
    );
    assert_eq!(visit.person(json!(Approval::approve())), EventOutcome::Applied);
    assert_eq!(visit.keys(), ["answer#1@1+tool-1"]);
    visit.run_all();
    assert_eq!(visit.results(), [Ok("500".to_owned())]);
}

#[test]
fn a_denied_call_is_answered_with_the_reason() {
    for (answer, error) in [
        (Approval::deny("too much"), "a person did not approve the call: too much"),
        (Approval::deny(" "), "a person did not approve the call"),
    ] {
        let mut visit = Visit::new(open());
        visit.call(&[("pay", json!({ "cents": 500 }))]);
        visit.person(json!(answer));
        assert_eq!(visit.error(), error);
        assert!(visit.log().is_empty());
    }
}

#[test]
fn an_answer_that_says_nothing_is_asked_again() {
    let mut visit = Visit::new(open());
    visit.call(&[("pay", json!({ "cents": 500 }))]);
    let EventOutcome::Refused(issues) = visit.person(json!({ "aproved": "perhaps" })) else {
        panic!()
    };
    assert!(!issues.is_empty());
    assert_eq!(visit.keys(), ["answer#1@2+approve-1"]);
    assert_eq!(visit.only().as_question().unwrap().issues, Some(issues));
    // Coerced, as the answers of human tasks are.
    assert_eq!(visit.person(json!({ "Approved": "yes" })), EventOutcome::Applied);
    assert_eq!(visit.keys(), ["answer#1@1+tool-1"]);
}

#[test]
fn the_time_of_the_task_passes_while_a_person_thinks_and_that_of_the_run_does_not() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("a")), ("pay", json!({ "cents": 1 }))]);
    visit.run_all();
    assert_eq!(visit.only().timeout, Some(Duration::from_secs(298)));
    let id = visit.only().id;
    let (answer, elapsed) = (json!({ "approved": false }), Duration::from_secs(200));
    visit.handle(Event::Answered { id, answer, elapsed });
    assert_eq!(visit.only().timeout, Some(Duration::from_secs(98)));
    visit.call(&[("pay", json!({ "cents": 1 }))]);
    visit.time_out(Duration::from_secs(97));
    assert_eq!(visit.ending(), Ending::End("late"));
    let limit = HaltReason::TaskTimeout(Duration::from_secs(300));
    assert_eq!(visit.run.last_failure().unwrap().reason, limit);
}

#[test]
fn a_person_sees_the_arguments_as_they_are_read() {
    let mut visit = Visit::new(open());
    visit.call(&[("pay", json!({ "cents": "500" }))]);
    assert!(asked(&mut visit).contains("{\n  \"cents\": 500\n}"), "{}", asked(&mut visit));
}

#[test]
fn a_tool_of_a_source_has_its_own_effect_and_approval() {
    for (effect, is_asked) in [
        (Effect::Repeatable, false),
        (Effect::Once, false),
        (Effect::Repeatable, true),
        (Effect::Once, true),
    ] {
        let mut tool = SourceTool::new("read_file", "Reads", json!({ "type": "object" }));
        (tool.effect, tool.needs_approval) = (effect, is_asked);
        let mut visit = Visit::offering(vec![tool]);
        visit.call(&[("read_file", json!({}))]);
        assert_eq!(key(&mut visit).approval().is_some(), is_asked);
        visit.resume();
        if is_asked {
            visit.person(json!(Approval::approve()));
        }
        assert_eq!(visit.only().function().effect(), effect);
    }
}
