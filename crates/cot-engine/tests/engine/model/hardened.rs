//! What a run does with what nobody expects.

use std::cell::Cell;

use cot_engine::{
    Event, HaltReason, Machine, MachineOptions, ResumeOptions, StartError,
    private::{Definition, ProcessCode, write_text},
};
use cot_model::{ModelError, ModelErrorKind};
use cot_schema::Issues;
use serde_json::{Value, json};

use crate::harness::{
    NOTE, PROCESS, Run, SECOND, ai, append, checked, end, functions, go, note, only_if, process, to,
};

process! {
    Library {
        hub: ai("").go(&[to(Self::put), to(Self::done)]),
        put: ai("")
            .output(NOTE)
            .read(|given, _| checked(given, refuse_without_reason))
            .commit(append)
            .next(&[Self::done, Self::hub])
            .arms(&[only_if(|_, _| is_interrupted())]),
        done: end(),
    }
    definition: Definition { max_retries: Some(1), uses_goal: true, ..PROCESS };
    functions: ProcessCode {
        system: Some(|cx, out| write_text(out, cx.state["system"].as_str().unwrap_or(""))),
        ..functions()
    };
}

fn refuse_without_reason(note: &Value) -> Result<(), Issues> {
    if note["rank"] == 13 { Err(Issues::new()) } else { Ok(()) }
}

fn library(shelf: Value) -> Run {
    Run::with::<Library>(|options| options.goal = Some("order".to_owned()), shelf)
}

thread_local! {
    /// Whether the guard of `put` panics, in the test of this thread.
    static PANICS: Cell<bool> = const { Cell::new(false) };
}

fn is_interrupted() -> bool {
    assert!(!PANICS.replace(false), "the guard panics");
    false
}

#[test]
fn words_of_a_transition_are_bounded() {
    let mut run = library(json!({}));
    let long = "x".repeat(50_000);
    run.reply(json!({ "intent": long, "goTo": "put", "stepAfter": "" }));
    let prompt = run.prompt();
    assert!(prompt.contains("is too long: 50000 bytes"), "{prompt}");
    assert!(prompt.len() < 10_000);
}

#[test]
fn a_reply_of_megabytes_is_an_issue_even_where_it_would_fit() {
    let mut run = library(json!({}));
    let padded = format!("{}{}", go("put"), " ".repeat(2_000_000));
    run.reply(padded);
    assert!(run.prompt().contains("at most 1048576 are read"));
}

#[test]
fn a_refusal_without_a_reason_is_still_an_issue() {
    let mut run = library(json!({}));
    run.reply(go("put"));
    run.reply(note("a", 13));
    assert!(run.prompt().contains("no reason was given"));
}

#[test]
fn a_call_that_failed_was_a_call() {
    let mut run = library(json!({}));
    let id = run.only().id;
    run.handle(Event::TimedOut { id, elapsed: SECOND });
    assert_eq!(run.usage().calls, 1);
}

#[test]
fn a_blank_goal_is_none() {
    let mut options = MachineOptions::default();
    options.goal = Some(" ".to_owned());
    let mut run = Machine::<Library>::new().options(options);
    assert!(matches!(run.start(json!({})), Err(StartError::MissingGoal)));
}

#[test]
fn an_empty_system_message_is_left_out() {
    let mut silent = library(json!({}));
    assert_eq!(silent.only().request().system(), None);
    let mut speaking = library(json!({ "system": "Be brief." }));
    assert_eq!(speaking.only().request().system(), Some("Be brief."));
}

#[test]
fn a_halted_run_can_go_on_where_it_halted() {
    let mut run = library(json!({}));
    run.reply(go("put"));
    let id = run.only().id;
    let error = ModelError::new(ModelErrorKind::Connection, "the line is cut");
    run.handle(Event::Failed { id, error, elapsed: SECOND });
    run.halt();

    run.resumed().halt();
    let options = ResumeOptions::new().retry_halted();
    let mut again = run.resume(run.snapshot(), &options).unwrap();
    let next = again.only();
    assert_eq!((next.task, next.attempt()), ("put", 1));
    assert_ne!(next.id, id);
    again.reply(note("a", 1));
    assert_eq!(again.state()["put"], json!([note("a", 1)]));
}

#[test]
fn a_panic_while_a_reply_is_taken_in_ends_the_run_and_commits_nothing_twice() {
    let mut run = library(json!({}));
    run.reply(go("put"));
    PANICS.set(true);
    run.reply(note("a", 1));
    let halt = run.halt();
    assert_eq!(halt.task, "put");
    assert!(matches!(halt.reason, HaltReason::Panicked(_)), "{:?}", halt.reason);
    assert_eq!(run.state()["put"], json!([note("a", 1)]));
}

#[test]
fn long_errors_of_models_are_cut() {
    let mut run = library(json!({}));
    let id = run.only().id;
    let error = ModelError::new(ModelErrorKind::Other, "x".repeat(5_000_000));
    run.handle(Event::Failed { id, error, elapsed: SECOND });
    assert!(format!("{:?}", run.ending()).len() < 10_000);
}
