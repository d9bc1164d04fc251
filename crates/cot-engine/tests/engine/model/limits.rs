//! Limits, failures to reach a model, cancellation, templates that fail.

use std::time::Duration;

use cot_engine::{Event, EventOutcome, HaltReason};
use cot_model::ModelErrorKind;
use serde_json::json;

use super::lab::{Full, Hurried, Lab, field_named, started};
use crate::harness::{Run, SECOND, go};

#[test]
fn steps_are_limited_and_retries_are_none() {
    let mut run = Run::with::<Lab>(|options| options.max_steps = Some(3), json!({}));
    run.reply(go("add"));
    run.reply("retries are no steps");
    run = run.after([field_named("a"), go("add")]);
    let halt = run.halt();
    assert_eq!((halt.task, halt.reason), ("add", HaltReason::MaxSteps(3)));
    assert_eq!(run.steps(), 3);
}

#[test]
fn a_call_has_what_is_left_of_task_and_run() {
    let mut run = Run::with::<Hurried>(|options| options.timeout = Some(SECOND * 5), json!({}));
    assert_eq!(run.only().timeout, Some(SECOND * 3));
    run.reply("bad");
    assert_eq!(run.only().timeout, Some(SECOND * 2));
    run.reply(go("decide"));
    assert_eq!(run.only().timeout, Some(SECOND * 3));
    run.reply(go("decide"));
    assert_eq!(run.only().timeout, Some(SECOND * 2));
    run.time_out(SECOND * 30);
    let halt = run.halt();
    assert_eq!(halt.reason, HaltReason::RunTimeout(SECOND * 5));
    assert_eq!(halt.attempts.len(), 1);
}

#[test]
fn the_time_of_a_task_counts_over_its_attempts() {
    let mut run = Run::start::<Hurried>(json!({}));
    run.time_out(SECOND * 3);
    assert_eq!(run.halt().reason, HaltReason::TaskTimeout(SECOND * 3));
    let mut run = Run::start::<Hurried>(json!({}));
    run.reply("bad");
    let id = run.only().id;
    run.handle(Event::Replied { id, reply: "bad".into(), elapsed: SECOND * 2 });
    let halt = run.halt();
    assert_eq!(halt.reason, HaltReason::TaskTimeout(SECOND * 3));
    assert_eq!(halt.attempts.len(), 2);
}

#[test]
fn no_task_starts_after_the_time_of_the_run() {
    let mut run = Run::with::<Lab>(|options| options.timeout = Some(SECOND), json!({}));
    run.reply(go("add"));
    let halt = run.halt();
    assert_eq!((halt.task, halt.reason), ("add", HaltReason::RunTimeout(SECOND)));
    assert_eq!(run.steps(), 1);
}

#[test]
fn a_model_that_cannot_be_reached_halts() {
    let mut run = started();
    assert_eq!(run.fail(ModelErrorKind::Connection), EventOutcome::Applied);
    assert!(matches!(run.halt().reason, HaltReason::Unreachable(_)));
    let mut run = started();
    run.time_out(Duration::ZERO);
    assert!(matches!(run.halt().reason, HaltReason::Unreachable(_)));
}

#[test]
fn cancelling_works_at_any_time() {
    for replies in 0..3 {
        let mut run = started();
        for text in [go("add").to_string(), "bad".to_owned()].iter().take(replies) {
            run.reply(text.as_str());
        }
        assert_eq!(run.cancel("enough"), EventOutcome::Applied);
        assert_eq!(run.halt().reason, HaltReason::Cancelled("enough".to_owned()));
        assert_eq!(run.cancel("enough"), EventOutcome::NotRunning);
    }
}

#[test]
fn a_template_that_fails_halts_with_the_reason() {
    let mut run = Run::start::<Full>(json!({})).after([field_named("a")]);
    let HaltReason::Template(why) = run.halt().reason else { panic!("no template") };
    assert!(why.contains("key must be a string"), "{why}");
}
