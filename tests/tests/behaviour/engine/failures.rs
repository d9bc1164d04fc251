//! Ends that are no success: exhausted, truncated, refused, timed out, unreachable.

use std::time::Duration;

use cot_core::{
    Event, EventOutcome, Halt, HaltReason, Machine, MachineOptions, ResumeOptions, Usage,
    model::{FinishReason, ModelError, ModelErrorKind, ModelReply},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::{
    Note, SECOND, after, call, note, outcome, prompt, reply, request, started, started_with, state,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Notes {
    notes: Vec<Note>,
}

cot_process! {
    process Fragile {
        state: Notes,
        max_retries: 2,
        timeout: 1m,
        task first -> Note { update: notes[], next: second }
        task second -> Note { timeout: 10s, update: notes[], next: done }
        task done { end }
    }
}

/// A machine that has committed one note and waits at the second task.
fn at_second() -> Machine<Fragile> {
    after(Notes::default(), [note("a", 1)])
}

fn halted(machine: &mut Machine<Fragile>) -> Halt<FragileTask> {
    assert_eq!(state(machine).notes.len(), 1, "what was committed stays, and nothing else");
    assert_eq!(machine.history().len(), 1);
    outcome(machine).halt().unwrap().clone()
}

#[test]
fn used_up_retries_name_the_task_and_hold_every_attempt() {
    let mut machine = at_second();
    for (text, tokens) in [("one", 1), ("{\"text\": 2}", 2), ("", 3)] {
        let answer = ModelReply::new(text).usage(Usage::for_call(10 * tokens, tokens));
        reply(&mut machine, answer);
    }
    let halt = halted(&mut machine);
    assert_eq!(halt.task, FragileTask::Second);
    assert!(matches!(halt.reason, HaltReason::Exhausted));
    let attempts = &halt.attempts;
    let numbers: Vec<_> = attempts.iter().map(|attempt| attempt.number).collect();
    let replies: Vec<_> = attempts.iter().map(|attempt| attempt.reply.as_str()).collect();
    assert_eq!((numbers, replies), (vec![1, 2, 3], vec!["one", "{\"text\": 2}", ""]));
    assert!(attempts.iter().all(|attempt| !attempt.issues.is_empty() && attempt.elapsed == SECOND));
    assert_eq!(attempts[1].usage, Usage::for_call(20, 2));
    // The first task's call counts too.
    assert_eq!(machine.usage(), Usage { calls: 4, ..Usage::for_call(60, 6) });
    assert!(halt.to_string().contains("task `second`"), "{halt}");
}

#[test]
fn a_success_between_failures_starts_the_count_anew() {
    let replies = ["no", "no", "{\"text\": \"a\", \"rank\": 1}", "no", "no"];
    let mut machine = after::<Fragile, _>(Notes::default(), replies);
    assert_eq!(call(&mut machine).key.attempt(), 3);
}

#[test]
fn a_truncated_reply_is_not_asked_for_again() {
    let mut machine = at_second();
    reply(&mut machine, "no");
    // Even if it happens to be whole.
    let cut = ModelReply::from(note("b", 2)).finish(FinishReason::Length);
    reply(&mut machine, cut);
    let halt = halted(&mut machine);
    assert_eq!(halt.task, FragileTask::Second);
    assert!(matches!(halt.reason, HaltReason::Truncated), "{halt}");
    assert_eq!(halt.attempts.len(), 2);
    assert_eq!(halt.attempts[1].reply, note("b", 2).to_string());
}

#[test]
fn a_refusal_is_not_asked_for_again() {
    let mut machine = at_second();
    reply(&mut machine, ModelReply::new("I can't help.").finish(FinishReason::Refusal));
    let halt = halted(&mut machine);
    assert!(matches!(&halt.reason, HaltReason::Refused(said) if said == "I can't help."), "{halt}");
    assert_eq!(halt.attempts.len(), 1);
}

fn time_out(machine: &mut Machine<Fragile>, elapsed: Duration) {
    let id = call(machine).id;
    assert_eq!(machine.handle(Event::TimedOut { id, elapsed }), EventOutcome::Applied);
}

#[test]
fn the_time_limits_of_task_and_run_are_outcomes_of_their_own() {
    let mut machine = at_second();
    let limit = Duration::from_secs(10);
    assert_eq!(call(&mut machine).timeout, Some(limit));
    time_out(&mut machine, limit);
    let halt = halted(&mut machine);
    assert!(matches!(halt.reason, HaltReason::TaskTimeout(it) if it == limit), "{halt}");
    assert_eq!((halt.attempts.len(), halt.attempts[0].elapsed), (1, limit));

    let mut machine = started::<Fragile>(Notes::default());
    let limit = Duration::from_secs(60);
    assert_eq!(call(&mut machine).timeout, Some(limit));
    time_out(&mut machine, limit);
    let ended = outcome(&mut machine);
    assert!(matches!(ended.halt().unwrap().reason, HaltReason::RunTimeout(it) if it == limit));
    assert_eq!(ended.halt().unwrap().task, FragileTask::First);
}

#[test]
fn attempts_share_the_time_of_their_task() {
    let mut machine = at_second();
    reply(&mut machine, "no");
    assert_eq!(call(&mut machine).timeout, Some(Duration::from_secs(9)));
}

#[test]
fn a_resumed_run_keeps_its_goal_its_limits_and_the_time_that_has_passed() {
    for (limit, left) in [(60, 9), (5, 3)] {
        let mut options = MachineOptions::default();
        options.timeout = Some(Duration::from_secs(limit));
        options.goal = Some("help".into());
        let mut machine = started_with::<Fragile>(options, Notes::default());
        reply(&mut machine, note("a", 1));
        reply(&mut machine, "no");
        let snapshot = machine.snapshot().unwrap();
        let mut resumed = Machine::<Fragile>::resume(snapshot, ResumeOptions::new()).unwrap();
        assert_eq!(call(&mut machine).timeout, Some(Duration::from_secs(left)));
        assert_eq!(call(&mut resumed).timeout, call(&mut machine).timeout);
        assert_eq!(resumed.goal(), "help");
        assert_eq!(request(&call(&mut resumed)), request(&call(&mut machine)));
    }
}

#[test]
fn a_model_that_can_not_be_reached_is_no_validation_failure() {
    let mut machine = at_second();
    let id = call(&mut machine).id;
    let error = ModelError::new(ModelErrorKind::Connection, "connection refused");
    let event = Event::Failed { id, error, elapsed: SECOND };
    assert_eq!(machine.handle(event), EventOutcome::Applied);
    let halt = halted(&mut machine);
    let HaltReason::Unreachable(error) = &halt.reason else { panic!("{halt}") };
    assert_eq!(*error.kind(), ModelErrorKind::Connection);
    assert!(std::error::Error::source(&halt).is_some());
}

#[test]
fn failures_never_appear_as_errors_of_validation() {
    // A retry after a bad reply shows that reply's issues; none of the others is ever asked again.
    let mut machine = at_second();
    reply(&mut machine, json!({ "text": [1, 2], "rank": 1 }));
    assert!(prompt(&mut machine).contains("$.text"));
    for finish in [FinishReason::Length, FinishReason::Refusal] {
        let mut machine = at_second();
        reply(&mut machine, ModelReply::new("{").finish(finish));
        let halt = halted(&mut machine);
        assert!(!matches!(halt.reason, HaltReason::Exhausted));
        let text = halt.attempts[0].issues.to_string();
        assert!(!text.contains("JSON"), "{text}");
    }
}
