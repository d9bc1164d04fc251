//! Tools that fail, panic, hang, or return too much, and calls that can't be made.

use std::time::Duration;

use cot_engine::{Event, EventOutcome, FunctionError, HaltReason, private::Ending};
use cot_model::{ModelReply, ToolCall};
use serde_json::json;

use super::shop::{Visit, key, open, words};

#[test]
fn a_failed_call_is_retried_and_then_answered_with_its_error() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("fail"))]);
    visit.run_all();
    assert_eq!(visit.keys(), ["answer#1@2+tool-1"]);
    let (duration, jitter) = visit.only().pause();
    assert_eq!(duration + jitter, Duration::from_secs(1));
    visit.wake();
    assert_eq!(visit.keys(), ["answer#1@2+tool-1"]);
    visit.run_all();
    assert_eq!(visit.error(), "the catalogue is down");
    // Both attempts have one key, as those of a `run` function have.
    assert_eq!(visit.log(), ["run/answer#1+tool-1 attempt 1", "run/answer#1+tool-1 attempt 2"]);
}

#[test]
fn a_panic_is_answered() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("panic"))]);
    visit.run_all();
    visit.wake();
    visit.run_all();
    assert_eq!(visit.error(), "it panicked: no catalogue");
}

#[test]
fn a_call_that_hangs_is_answered_when_its_time_is_over() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("hang"))]);
    assert_eq!(visit.only().timeout, Some(Duration::from_secs(30)));
    visit.time_out(Duration::from_secs(30));
    assert_eq!(visit.error(), "the call took longer than 30s");
}

#[test]
fn a_result_of_megabytes_does_not_leave_its_call() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("flood"))]);
    visit.run_all();
    let error = visit.error();
    assert_eq!(error, "the result has 10485764 bytes as JSON: at most 65536 are allowed");
    assert_eq!(visit.log().len(), 1, "it is not made again");
}

fn paying(cents: u64) -> Visit {
    let mut visit = Visit::new(open());
    visit.call(&[("pay", json!({ "cents": cents }))]);
    visit.person(json!({ "approved": true }));
    assert_eq!(key(&mut visit).tool_call(), Some(1));
    let id = visit.only().id;
    visit.handle(Event::Started { id });
    visit
}

#[test]
fn an_unknown_outcome_of_a_call_that_is_made_once_ends_the_task() {
    let interrupted = |mut visit: Visit| {
        assert_eq!(visit.ending(), Ending::End("unknown"));
        assert_eq!(visit.run.last_failure().unwrap().reason, HaltReason::Interrupted);
    };
    // A panic, an error that says nothing, a time-out, and a driver that was gone.
    let mut visit = paying(13);
    visit.run_all();
    interrupted(visit);
    let mut visit = paying(15);
    visit.run_all();
    interrupted(visit);
    let mut visit = paying(1);
    visit.time_out(Duration::from_secs(20));
    interrupted(visit);
    let mut visit = paying(1);
    visit.resume();
    let id = visit.only().id;
    assert!(visit.only().as_function_call().unwrap().is_started());
    visit.handle(Event::Interrupted { id });
    interrupted(visit);
}

#[test]
fn an_error_that_says_that_nothing_was_done_is_answered() {
    let mut visit = paying(14);
    visit.run_all();
    assert_eq!(visit.error(), "the card was declined");
}

#[test]
fn stale_events_change_nothing() {
    let mut visit = Visit::new(open());
    let first = visit.only().id;
    visit.call(&[("search", words("a")), ("hours", json!({}))]);
    let due = visit.due();
    let before = visit.run.snapshot().to_json().unwrap();
    let elapsed = Duration::ZERO;
    for event in [
        Event::Replied { id: first, reply: "{}".into(), elapsed },
        Event::Woken { id: due[0].id },
        Event::Answered { id: due[0].id, answer: json!({ "approved": true }), elapsed },
        Event::Interrupted { id: due[0].id },
    ] {
        assert_eq!(visit.run.handle(event.clone()), EventOutcome::Stale, "{event:?}");
    }
    assert_eq!(visit.run.snapshot().to_json().unwrap(), before);
    let result = Err(FunctionError::new("no"));
    visit.handle(Event::Ran { id: due[1].id, result, elapsed });
    let late = Event::Ran { id: due[1].id, result: Ok(json!(1)), elapsed };
    assert_eq!(visit.run.handle(late), EventOutcome::Stale);
}

fn error_of(tool: &str, arguments: &str) -> String {
    let mut visit = Visit::new(open());
    visit.reply(ModelReply::calling([ToolCall::new(tool, arguments)]));
    visit.error()
}

#[test]
fn arguments_are_read_leniently_and_checked() {
    for text in [r#"{"words":["a"]}"#, r#"{"Words": "a"}"#, "```json\n{words: ['a'],}\n```"] {
        let mut visit = Visit::new(open());
        visit.reply(ModelReply::calling([ToolCall::new("search", text)]));
        visit.run_all();
        assert_eq!(visit.results(), [Ok(r#"["a found"]"#.to_owned())], "{text}");
    }
    let error = error_of("search", "{}");
    assert!(
        error.starts_with("the arguments of \"search\" are not valid:\n- $: `words` is required"),
        "{error}"
    );
    let error = error_of("search", r#"{"words":["a"],"limit":900}"#);
    assert!(error.contains("- $.limit: "), "{error}");
    let error = error_of("search", "I don't know");
    assert!(error.contains("- $: "), "{error}");
    let error = error_of("read_file", r#"{"path":"a","lines":0}"#);
    assert!(error.contains("- $.lines: "), "{error}");
}

#[test]
fn unknown_and_invisible_tools_are_answered_with_the_visible_ones() {
    let names = "The tools are \"search\", \"pay\", \"hours\", \"read_file\"";
    assert_eq!(
        error_of("serach", "{}"),
        format!("there is no tool \"serach\": did you mean \"search\"? {names}")
    );
    // Not among those that the process allows.
    assert!(error_of("remove_file", "{}").starts_with("there is no tool \"remove_file\""));
    let mut visit = Visit::new(json!({}));
    visit.call(&[("pay", json!({ "cents": 1 }))]);
    assert_eq!(
        visit.error(),
        "there is no tool \"pay\". The tools are \"search\", \"hours\", \"read_file\""
    );
    assert_eq!(visit.keys(), ["answer#1@1+round-1"]);
}

#[test]
fn arguments_of_a_megabyte_are_refused_and_not_kept() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words(&"x".repeat(1 << 20)))]);
    let error = "the arguments have 1048590 bytes as JSON: at most 65536 are allowed";
    assert_eq!(visit.error(), error);
    let snapshot = visit.run.snapshot().to_json().unwrap();
    assert!(snapshot.len() < 20_000, "{}", snapshot.len());
    let request = visit.request();
    assert_eq!(request.rounds[0].calls[0].0.arguments, r#"{"omitted":"1048590 bytes"}"#);
}
