//! Inputs of tasks, runs of one task alone, and states from outside.

use cot_core::{
    Event, EventOutcome, HaltReason, Inputs, Machine, ResumeOptions, Snapshot, StartError,
    model::{ModelError, ModelErrorKind},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::drive::{resumed, survives};
use crate::drive::{Note, SECOND, call, go, note, outcome, prompt, reply, started, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Shelf {
    notes: Vec<Note>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Book {
    #[schemars(length(max = 8))]
    title: String,
}

fn choose(note: &Note, shelf: &mut Shelf, book: &Book) -> LibraryReadChoice {
    let title = format!("{}+", book.title);
    shelf.notes.push(note.clone());
    match note.rank {
        0 => LibraryReadChoice::Hub,
        1 => LibraryReadChoice::File,
        _ => LibraryReadChoice::Read(Book { title }),
    }
}

fn is_new(note: &Note, shelf: &Shelf) -> Result<(), Issues> {
    match shelf.notes.contains(note) {
        true => Err(Issues::at("$", "is there already")),
        false => Ok(()),
    }
}

cot_process! {
    process Library {
        state: Shelf,
        max_retries: 1,
        intro: "${json(last_output)}",

        task hub {
            transitions: {
                read with Book { title: format!("n{}", state.notes.len()) },
                browse with model,
                done,
            },
        }

        task browse {
            inputs: Book,
            prompt: "Browse ${inputs.title}",
            transitions: {
                browse with model,
                read with inputs if inputs.title != "closed",
                hub,
                aside,
            },
        }

        task aside -> Note { check: is_new, update: notes[] }

        task read -> Note {
            inputs: Book,
            prompt: "Read ${inputs.title}",
            process_output: choose -> [hub, read, file],
        }

        task file -> Note {
            update: notes[],
            next: { browse with Book { title: output.text } if output.rank > 5, hub },
        }

        task done { end }
    }
}

fn library() -> Machine<Library> {
    started(Shelf::default())
}

fn browse(title: &str) -> serde_json::Value {
    let mut choice = go("browse");
    choice["inputs"] = json!({ "title": title });
    choice
}

#[test]
fn a_transition_computes_what_it_delivers() {
    let mut machine = library();
    reply(&mut machine, go("read"));
    assert!(prompt(&mut machine).contains("Read n0"));
    survives(&mut machine);
    reply(&mut machine, note("a", 9));
    assert!(prompt(&mut machine).contains("Read n0+"), "a choice delivers too");
    survives(&mut machine);
    reply(&mut machine, note("b", 1));
    reply(&mut machine, note("a book", 6));
    assert!(prompt(&mut machine).contains("Browse a book"), "an arm delivers too");
    survives(&mut machine);
}

#[test]
fn what_a_model_delivers_is_validated() {
    for (reply_, why) in [
        (go("browse"), "$.inputs: is missing"),
        (browse("far too long"), "$.inputs.title"),
        (json!({ "goTo": "browse", "intent": "", "stepAfter": "", "inputs": 5 }), "$.inputs"),
    ] {
        let mut machine = library();
        reply(&mut machine, reply_.clone());
        reply(&mut machine, reply_);
        let halt = outcome(&mut machine).halt().cloned().unwrap();
        let issues = halt.attempts[1].issues.to_string();
        assert!(issues.starts_with(why), "{issues}");
        assert!(machine.history().is_empty());
    }
    let mut machine = library();
    reply(&mut machine, browse("tales"));
    assert!(prompt(&mut machine).contains("Browse tales"));
}

#[test]
fn guards_see_inputs_and_a_calling_task_gets_its_own_again() {
    let mut machine = library();
    reply(&mut machine, browse("closed"));
    assert!(!prompt(&mut machine).contains("\"read\""));
    reply(&mut machine, browse("tales"));
    assert!(prompt(&mut machine).contains("\"read\""));
    reply(&mut machine, go("aside"));
    survives(&mut machine);
    reply(&mut machine, note("a", 1));
    assert!(prompt(&mut machine).contains("Browse tales"));
    reply(&mut machine, go("read"));
    assert!(prompt(&mut machine).contains("Read tales"));
    reply(&mut machine, note("b", 0));
    assert_eq!((call(&mut machine).task, machine.callers().count()), (LibraryTask::Hub, 0));
}

#[test]
fn a_task_that_halted_is_begun_again_with_its_inputs() {
    let mut machine = library();
    reply(&mut machine, browse("tales"));
    machine.poll();
    let mut machine = resumed(&machine);
    let error = ModelError::new(ModelErrorKind::Connection, "gone");
    let id = call(&mut machine).id;
    machine.handle(Event::Failed { id, error, elapsed: SECOND });
    assert!(outcome(&mut machine).halt().is_some());
    retries(&resumed(&machine), "Browse tales");
}

#[test]
fn a_task_that_was_cancelled_before_it_began_is_begun_with_its_inputs() {
    let mut machine = library();
    reply(&mut machine, browse("tales"));
    reply(&mut machine, browse("poems"));
    assert_eq!(
        machine.handle(Event::Cancelled { reason: String::new(), calls: 0 }),
        EventOutcome::Applied
    );
    retries(&machine, "Browse poems");
}

fn retries(machine: &Machine<Library>, with: &str) {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let options = ResumeOptions::new().retry_halted();
    let mut machine = Machine::resume(Snapshot::from_json(&json).unwrap(), options).unwrap();
    assert!(prompt::<Library>(&mut machine).contains(with));
}

#[test]
fn the_last_output_is_kept_though_its_check_would_refuse_it_now() {
    let mut machine = library();
    reply(&mut machine, browse("tales"));
    reply(&mut machine, go("aside"));
    reply(&mut machine, note("once", 1));
    assert!(prompt(&mut machine).contains("once"));
    survives(&mut machine);
}

#[test]
fn one_task_alone_is_run_with_its_inputs() {
    let mut machine = Library::machine();
    let task = LibraryTask::Read;
    let missing = StartError::MissingInputs { task: "read" };
    assert_eq!(machine.start_task(task, None, Shelf::default()), Err(missing));
    assert!(machine.is_idle());
    let book = Inputs::new(Book { title: "it".to_owned() });
    machine.start_task(task, Some(book), Shelf::default()).unwrap();
    survives(&mut machine);
    reply(&mut machine, "bad");
    assert!(prompt(&mut machine).contains("Read it"));
    reply(&mut machine, note("a", 9));
    assert_eq!(outcome(&mut machine), LibraryOutcome::RanOut(LibraryTask::Read));
    assert_eq!(state(&machine).notes.len(), 1);
}

#[test]
fn inputs_of_another_type_halt_and_nothing_panics() {
    let mut machine = Library::machine();
    machine.start_task(LibraryTask::Read, Some(Inputs::new(5)), Shelf::default()).unwrap();
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert!(matches!(halt.reason, HaltReason::Template(_)), "{halt}");
}

cot_process! {
    process Proven {
        state: { plan: Note, title: String = String::new() },
        task think -> Note { update: { plan = output }, next: write }

        task write -> Note {
            prompt: "After ${state.plan.text}",
            update: { title = output.text },
            next: write_up,
        }

        task write_up { next: done }
        task done { end }
    }
}

#[test]
fn a_field_that_was_taken_away_halts_before_it_is_read() {
    let mut machine = started::<Proven>(ProvenState::new());
    reply(&mut machine, note("the plan", 1));
    machine.change_state(|state| state.plan = None);
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!((halt.task, halt.reason), (ProvenTask::Write, HaltReason::Unwritten("plan".into())));
    assert_eq!(machine.steps(), 1);
}

cot_process! {
    process Count {
        state: u32,
        task begin { next: { endless with 0 if *state == 0, step with 0 } }
        task step { inputs: u32, next: { step with inputs + 1 if inputs < state, done } }

        task endless {
            inputs: u32,
            next: { step with inputs if *inputs > 10_000_000, again with inputs },
        }

        task again { inputs: u32, next: endless with inputs }
        task done { end }
    }
}

#[test]
fn gateways_may_count_with_inputs_but_not_for_ever() {
    assert_eq!(outcome(&mut started::<Count>(500)), CountOutcome::Done);
    let outcome = outcome(&mut started::<Count>(0));
    assert_eq!(outcome.halt().unwrap().reason, HaltReason::GatewayLoop);
}
