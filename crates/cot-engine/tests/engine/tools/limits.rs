//! What ends a task that calls tools.

use std::time::Duration;

use cot_engine::{Budget, Event, Failure, HaltReason, private::Ending};
use cot_model::{ModelReply, ToolCall, Usage};
use serde_json::json;

use super::shop::{Visit, open, words};

#[test]
fn a_model_that_calls_for_ever_is_stopped() {
    let mut visit = Visit::new(open());
    for _ in 0..6 {
        visit.call(&[("search", words("a"))]);
        visit.run_all();
    }
    visit.call(&[("search", words("a"))]);
    assert_eq!(visit.ending(), Ending::End("lost"));
    let failure = visit.run.last_failure().unwrap();
    assert_eq!(failure.reason, HaltReason::ToolCalls(6));
    let said = "the reply makes 1 tool calls after 6 earlier ones: at most 6 are allowed";
    assert_eq!(failure.attempts[0].issues.to_string(), format!("$: {said}"));
    assert_eq!(failure.attempts[0].usage.calls, 7);
    assert_eq!(visit.log().len(), 6);
}

#[test]
fn none_of_five_hundred_calls_is_made() {
    let mut visit = Visit::new(open());
    visit.reply(ModelReply::calling((0..500).map(|_| ToolCall::new("search", words("a")))));
    assert_eq!(visit.ending(), Ending::End("lost"));
    assert!(visit.log().is_empty() && visit.events().is_empty());
    let failure = visit.run.last_failure().unwrap();
    assert_eq!(
        failure.reason.to_string(),
        "more tool calls were made than the 6 that the task allows"
    );
}

#[test]
fn a_budget_is_checked_before_each_round() {
    let budget = Budget { calls: Some(2), ..Budget::default() };
    let mut visit = Visit::with(|options| options.budget = Some(budget), open());
    for _ in 0..2 {
        let reply = ModelReply::calling([ToolCall::new("hours", "{}")]);
        visit.reply(reply.usage(Usage::for_call(1, 1)));
        visit.run_all();
    }
    let halt = visit.run.halt();
    assert!(matches!(halt.reason, HaltReason::Budget(_)), "{halt:?}");
    assert_eq!((halt.attempts[0].failure, halt.attempts[0].usage.calls), (Failure::Failed, 2));
}

#[test]
fn the_time_of_a_task_passes_in_its_calls() {
    let mut visit = Visit::new(open());
    let timeout = |visit: &mut Visit| visit.due().iter().map(|it| it.timeout.unwrap()).min();
    assert_eq!(timeout(&mut visit), Some(Duration::from_secs(300)));
    visit.call(&[
        ("search", words("a")),
        ("hours", json!({})),
        ("read_file", json!({ "path": "a" })),
    ]);
    let limits: Vec<_> = visit.due().iter().map(|it| it.timeout.unwrap().as_secs()).collect();
    assert_eq!(limits, [30, 299, 10]);
    // Calls that overlap don't add up.
    for (directive, seconds) in visit.due().into_iter().zip([20, 280, 5]) {
        let (id, elapsed) = (directive.id, Duration::from_secs(seconds));
        visit.handle(Event::Ran { id, result: Ok(json!(1)), elapsed });
    }
    assert_eq!(timeout(&mut visit), Some(Duration::from_secs(19)));
    visit.call(&[("search", words("a"))]);
    assert_eq!(timeout(&mut visit), Some(Duration::from_secs(18)));
    visit.time_out(Duration::from_secs(18));
    assert_eq!(visit.ending(), Ending::End("late"));
    let failure = visit.run.last_failure().unwrap();
    assert_eq!(failure.reason, HaltReason::TaskTimeout(Duration::from_secs(300)));
}

#[test]
fn no_call_is_made_after_which_the_model_could_not_be_asked() {
    let budget = Budget { tokens: Some(100), ..Budget::default() };
    let mut visit = Visit::with(|options| options.budget = Some(budget), open());
    let reply = ModelReply::calling([ToolCall::new("search", words("a"))]);
    visit.reply(reply.usage(Usage::for_call(90, 10)));
    visit.run.halt();
    assert!(visit.log().is_empty());

    // An approval that comes when the time of the task is over.
    let mut visit = Visit::new(open());
    visit.call(&[("pay", json!({ "cents": 1 }))]);
    let (id, answer) = (visit.only().id, json!({ "approved": true }));
    visit.handle(Event::Answered { id, answer, elapsed: Duration::from_secs(300) });
    assert_eq!(visit.ending(), Ending::End("late"));
    assert!(visit.log().is_empty());
}

#[test]
fn a_call_with_an_effect_that_a_limit_cuts_off_is_interrupted() {
    let mut visit = Visit::new(open());
    visit.call(&[("hours", json!({}))]);
    let id = visit.only().id;
    visit.handle(Event::Ran { id, result: Ok(json!(1)), elapsed: Duration::from_secs(290) });
    visit.call(&[("pay", json!({ "cents": 1 }))]);
    visit.person(json!({ "approved": true }));
    let id = visit.only().id;
    visit.handle(Event::Started { id });
    // The limit of the task is less than that of the tool.
    let left = visit.only().timeout.unwrap();
    assert!(left < Duration::from_secs(10), "{left:?}");
    visit.time_out(left);
    assert_eq!(visit.ending(), Ending::End("unknown"));
}

#[test]
fn calls_that_a_failure_drops_are_events_too() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("a")), ("hours", json!({}))]);
    visit.events();
    visit.time_out(Duration::from_secs(30));
    let id = visit.due().last().unwrap().id;
    visit.handle(Event::TimedOut { id, elapsed: Duration::from_secs(300) });
    assert_eq!(visit.ending(), Ending::End("late"));
    let events = visit.events();
    assert!(
        events.iter().any(|event| event.starts_with("answer: call 2 of hours failed:")),
        "{events:?}"
    );
}
