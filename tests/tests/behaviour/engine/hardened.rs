//! What a run does with what nobody expects.

use std::cell::Cell;

use cot_core::{
    Event, HaltReason, Machine, MachineOptions, ResumeOptions, StartError,
    model::{ModelError, ModelErrorKind},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::{Note, SECOND, call, go, note, outcome, prompt, reply, request, started, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Shelf {
    notes: Vec<String>,
    system: String,
}

cot_process! {
    process Library {
        state: Shelf,
        system: "${state.system}",
        max_retries: 1,
        task hub { prompt: "For ${goal}", transitions: { put, done } }

        task put -> Note {
            check: refuse_without_reason,
            update: { notes[] = output.text },
            next: { done if is_interrupted(), hub },
        }

        task done { end }
    }
}

thread_local! {
    /// Whether the guard of `put` panics, in the test of this thread.
    static PANICS: Cell<bool> = const { Cell::new(false) };
}

fn is_interrupted() -> bool {
    assert!(!PANICS.replace(false), "the guard panics");
    false
}

fn refuse_without_reason(note: &Note, _: &Shelf) -> Result<(), Issues> {
    if note.rank == 13 { Err(Issues::new()) } else { Ok(()) }
}

fn library(shelf: Shelf) -> Machine<Library> {
    let mut machine = Machine::new().options(with_goal("order"));
    machine.start(shelf).unwrap();
    machine
}

fn with_goal(goal: &str) -> MachineOptions {
    let mut options = MachineOptions::default();
    options.goal = Some(goal.to_owned());
    options
}

#[test]
fn words_of_a_transition_are_bounded() {
    let mut machine = library(Shelf::default());
    let long = "x".repeat(50_000);
    reply(&mut machine, json!({ "intent": long, "goTo": "put", "stepAfter": "" }));
    let prompt = prompt(&mut machine);
    assert!(prompt.contains("is too long: 50000 bytes"), "{prompt}");
    assert!(prompt.len() < 10_000);
}

#[test]
fn a_reply_of_megabytes_is_an_issue_even_where_it_would_fit() {
    let mut machine = library(Shelf::default());
    let padded = format!("{}{}", go("put"), " ".repeat(2_000_000));
    reply(&mut machine, padded);
    assert!(prompt(&mut machine).contains("at most 1048576 are read"));
}

#[test]
fn a_refusal_without_a_reason_is_still_an_issue() {
    let mut machine = library(Shelf::default());
    reply(&mut machine, go("put"));
    reply(&mut machine, note("a", 13));
    assert!(prompt(&mut machine).contains("no reason was given"));
}

#[test]
fn a_call_that_failed_was_a_call() {
    let mut machine = library(Shelf::default());
    let id = call(&mut machine).id;
    machine.handle(Event::TimedOut { id, elapsed: SECOND });
    assert_eq!(machine.usage().calls, 1);
}

#[test]
fn a_blank_goal_is_none() {
    let mut machine = Machine::<Library>::new().options(with_goal(" "));
    assert!(matches!(machine.start(Shelf::default()), Err(StartError::MissingGoal)));
}

#[test]
fn an_empty_system_message_is_left_out() {
    let mut silent = library(Shelf::default());
    assert_eq!(request(&call(&mut silent)).system(), None);
    let mut speaking = library(Shelf { system: "Be brief.".into(), ..Shelf::default() });
    assert_eq!(request(&call(&mut speaking)).system(), Some("Be brief."));
}

#[test]
fn outcomes_can_be_compared_and_turned_into_results() {
    let mut machine = library(Shelf::default());
    reply(&mut machine, go("done"));
    assert_eq!(outcome(&mut machine), LibraryOutcome::Done);
    assert_eq!(outcome(&mut machine).into_result(), Ok(LibraryOutcome::Done));
    let mut halted = library(Shelf::default());
    (0..2).for_each(|_| drop(reply(&mut halted, "no")));
    let halt = outcome(&mut halted).into_result().unwrap_err();
    assert_eq!((halt.task, halt.reason), (LibraryTask::Hub, HaltReason::Exhausted));
}

#[test]
fn a_halted_run_can_go_on_where_it_halted() {
    let mut machine = library(Shelf::default());
    reply(&mut machine, go("put"));
    let id = call(&mut machine).id;
    let error = ModelError::new(ModelErrorKind::Connection, "the line is cut");
    machine.handle(Event::Failed { id, error, elapsed: SECOND });
    assert!(outcome(&mut machine).halt().is_some());

    let snapshot = || machine.snapshot().unwrap();
    let mut same = Machine::<Library>::resume(snapshot(), ResumeOptions::new()).unwrap();
    assert!(outcome(&mut same).halt().is_some());
    let options = ResumeOptions::new().retry_halted();
    let mut again = Machine::<Library>::resume(snapshot(), options).unwrap();
    let next = call(&mut again);
    assert_eq!((next.task, next.key.attempt()), (LibraryTask::Put, 1));
    assert_ne!(next.id, id);
    reply(&mut again, note("a", 1));
    assert_eq!(state(&again).notes, ["a"]);
}

#[test]
fn a_panic_while_a_reply_is_taken_in_ends_the_run_and_commits_nothing_twice() {
    let mut machine = library(Shelf::default());
    reply(&mut machine, go("put"));
    PANICS.set(true);
    reply(&mut machine, note("a", 1));
    let halt = outcome(&mut machine).into_result().unwrap_err();
    assert_eq!(halt.task, LibraryTask::Put);
    assert!(matches!(halt.reason, HaltReason::Panicked(_)), "{:?}", halt.reason);
    assert_eq!(state(&machine).notes, ["a"]);
}

#[test]
fn long_errors_of_models_are_cut() {
    let mut machine = started::<Quick>(());
    let id = call(&mut machine).id;
    let error = ModelError::new(ModelErrorKind::Other, "x".repeat(5_000_000));
    machine.handle(Event::Failed { id, error, elapsed: SECOND });
    assert!(format!("{:?}", outcome(&mut machine)).len() < 10_000);
}

cot_process! {
    process Quick {
        state: (),
        task only -> Note { may_end }
    }
}
