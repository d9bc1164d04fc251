//! Ends that are no success: exhausted, truncated, refused, timed out, unreachable.

use std::time::Duration;

use cot_engine::{EventOutcome, Halt, HaltReason, private::Definition};
use cot_model::{FinishReason, ModelErrorKind, ModelReply, Usage};
use serde_json::json;

use crate::harness::{NOTE, PROCESS, Run, SECOND, ai, append, end, note, process, seconds};

process! {
    Fragile {
        first: ai("").output(NOTE).next(&[Self::second]),
        second: ai("").timeout(seconds(10)).output(NOTE).commit(append).next(&[Self::done]),
        done: end(),
    }
    definition: Definition { max_retries: Some(2), timeout: Some(seconds(60)), ..PROCESS };
}

/// A run that has committed one note and waits at the second task.
fn at_second() -> Run {
    Run::start::<Fragile>(json!({})).after([note("a", 1)])
}

fn halted(run: &mut Run) -> Halt<&'static str> {
    assert_eq!(*run.state(), json!({ "first": note("a", 1) }), "what was committed stays, alone");
    assert_eq!(run.history().len(), 1);
    run.halt()
}

#[test]
fn used_up_retries_name_the_task_and_hold_every_attempt() {
    let mut run = at_second();
    for (text, tokens) in [("one", 1), ("{\"text\": 2}", 2), ("", 3)] {
        let answer = ModelReply::new(text).usage(Usage::for_call(10 * tokens, tokens));
        run.reply(answer);
    }
    let halt = halted(&mut run);
    assert_eq!(halt.task, "second");
    assert!(matches!(halt.reason, HaltReason::Exhausted));
    let attempts = &halt.attempts;
    let numbers: Vec<_> = attempts.iter().map(|attempt| attempt.number).collect();
    let replies: Vec<_> = attempts.iter().map(|attempt| attempt.reply.as_str()).collect();
    assert_eq!((numbers, replies), (vec![1, 2, 3], vec!["one", "{\"text\": 2}", ""]));
    assert!(attempts.iter().all(|attempt| !attempt.issues.is_empty() && attempt.elapsed == SECOND));
    assert_eq!(attempts[1].usage, Usage::for_call(20, 2));
    // The first task's call counts too.
    assert_eq!(run.usage(), Usage { calls: 4, ..Usage::for_call(60, 6) });
    assert!(halt.to_string().contains("task `second`"), "{halt}");
}

#[test]
fn a_success_between_failures_starts_the_count_again() {
    let replies = ["no", "no", "{\"text\": \"a\", \"rank\": 1}", "no", "no"];
    let mut run = Run::start::<Fragile>(json!({})).after(replies);
    assert_eq!(run.only().attempt(), 3);
}

#[test]
fn a_truncated_reply_is_not_asked_for_again() {
    let mut run = at_second();
    run.reply("no");
    // Even if it happens to be whole.
    let cut = ModelReply::from(note("b", 2)).finish(FinishReason::Length);
    run.reply(cut);
    let halt = halted(&mut run);
    assert_eq!(halt.task, "second");
    assert!(matches!(halt.reason, HaltReason::Truncated), "{halt}");
    assert_eq!(halt.attempts.len(), 2);
    assert_eq!(halt.attempts[1].reply, note("b", 2).to_string());
}

#[test]
fn a_refusal_is_not_asked_for_again() {
    let mut run = at_second();
    run.reply(ModelReply::new("I can't help.").finish(FinishReason::Refusal));
    let halt = halted(&mut run);
    assert!(matches!(&halt.reason, HaltReason::Refused(said) if said == "I can't help."), "{halt}");
    assert_eq!(halt.attempts.len(), 1);
}

#[test]
fn the_time_limits_of_task_and_run_are_outcomes_of_their_own() {
    let mut run = at_second();
    let limit = Duration::from_secs(10);
    assert_eq!(run.only().timeout, Some(limit));
    run.time_out(limit);
    let halt = halted(&mut run);
    assert!(matches!(halt.reason, HaltReason::TaskTimeout(it) if it == limit), "{halt}");
    assert_eq!((halt.attempts.len(), halt.attempts[0].elapsed), (1, limit));

    let mut run = Run::start::<Fragile>(json!({}));
    let limit = Duration::from_secs(60);
    assert_eq!(run.only().timeout, Some(limit));
    run.time_out(limit);
    let halt = run.halt();
    assert_eq!((halt.task, halt.reason), ("first", HaltReason::RunTimeout(limit)));
}

#[test]
fn attempts_share_the_time_of_their_task() {
    let mut run = at_second();
    run.reply("no");
    assert_eq!(run.only().timeout, Some(Duration::from_secs(9)));
}

#[test]
fn a_resumed_run_keeps_its_goal_its_limits_and_the_time_that_has_passed() {
    for (limit, left) in [(60, 9), (5, 3)] {
        let mut run = Run::with::<Fragile>(
            |options| {
                options.timeout = Some(Duration::from_secs(limit));
                options.goal = Some("help".to_owned());
            },
            json!({}),
        );
        run.reply(note("a", 1));
        run.reply("no");
        let mut resumed = run.resumed();
        assert_eq!(run.only().timeout, Some(Duration::from_secs(left)));
        assert_eq!(resumed.only().timeout, run.only().timeout);
        assert_eq!(resumed.goal(), "help");
        assert_eq!(resumed.only().request(), run.only().request());
    }
}

#[test]
fn a_model_that_can_not_be_reached_is_no_validation_failure() {
    let mut run = at_second();
    assert_eq!(run.fail(ModelErrorKind::Connection), EventOutcome::Applied);
    let halt = halted(&mut run);
    let HaltReason::Unreachable(error) = &halt.reason else { panic!("{halt}") };
    assert_eq!(*error.kind(), ModelErrorKind::Connection);
}

#[test]
fn failures_never_appear_as_errors_of_validation() {
    // A retry after a bad reply shows that reply's issues; none of the others is ever asked again.
    let mut run = at_second();
    run.reply(json!({ "text": [1, 2], "rank": 1 }));
    assert!(run.prompt().contains("$.text"));
    for finish in [FinishReason::Length, FinishReason::Refusal] {
        let mut run = at_second();
        run.reply(ModelReply::new("{").finish(finish));
        let halt = halted(&mut run);
        assert!(!matches!(halt.reason, HaltReason::Exhausted));
        let text = halt.attempts[0].issues.to_string();
        assert!(!text.contains("JSON"), "{text}");
    }
}
