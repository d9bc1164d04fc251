//! Code of a process that panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cot_core::{Event, HaltReason, Machine, Process, prelude::*};
use serde::{Deserialize, Serialize};

use super::drive::question;
use crate::drive::{Note, SECOND, call, go, note, outcome, reply, started, state};

/// Panics where it is told to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Mine {
    notes: Vec<Note>,
    at: String,
}

fn blow(mine: &Mine, at: &str) -> bool {
    assert!(mine.at != at, "at {at}");
    true
}

fn checked(_: &Note, mine: &Mine) -> Result<(), Issues> {
    blow(mine, "check");
    Ok(())
}

fn processed(_: &Note, mine: &mut Mine) {
    mine.notes.clear();
    blow(mine, "process_output");
}

fn mocked(mine: &Mine) -> Note {
    blow(mine, "mock");
    Note::default()
}

fn with(mine: &Mine) -> Mine {
    blow(mine, "with");
    mine.clone()
}

async fn run(_: &Mine) -> Result<Note, std::convert::Infallible> {
    Ok(Note::default())
}

cot_process! {
    process Shaft {
        state: Mine,
        task dig -> Note { check: checked, update: notes[], process_output: processed }
    }
}

cot_process! {
    process Field {
        state: Mine,
        task hub {
            transitions: {
                plain, guarded if blow(state, "guard"), person, function, process, none, items,
                takes with with(state), gate,
            },
        }
        task plain -> Note {
            check: checked,
            update: { notes[] = output },
            process_output: processed,
            next: { done if blow(state, "next"), hub },
        }
        task guarded { next: hub }
        task person -> Note { ask: "${blow(state, \"ask\")}", check: checked, update: notes[], next: hub }
        task function -> Note { run: run, update: notes[], next: hub }
        task process { process: Shaft with with(state), update: { notes[] = Note::default() }, next: hub }
        task none -> Note {
            for_each: item in none(state),
            prompt: "${item}",
            update: { notes[] = Note::default(), at = format!("{}{}", state.at, output.len()) },
            next: { done if blow(state, "after none0"), hub },
        }
        task items -> Note {
            for_each: item in items(state),
            prompt: "${item} ${blow(state, \"prompt\")}",
            update: { notes = output },
            next: hub,
        }
        task takes { inputs: Mine, prompt: "${inputs.at}", transitions: { hub } }
        task gate { next: { done if blow(state, "gate"), hub } }
        task done { end }
    }
}

fn none(_: &Mine) -> Vec<u32> {
    Vec::new()
}

fn items(mine: &Mine) -> Vec<u32> {
    blow(mine, "count");
    vec![1]
}

fn field(at: &str) -> Machine<Field> {
    started(Mine { at: at.to_owned(), ..Mine::default() })
}

/// What is done with the machine panics, and it stands still from then on.
fn panics<P: Process<State = Mine>>(machine: &mut Machine<P>, act: impl FnOnce(&mut Machine<P>)) {
    let committed = machine.state().unwrap().notes.len();
    let done = catch_unwind(AssertUnwindSafe(|| act(machine)));
    assert!(done.is_err(), "nothing panicked");
    let seen = machine.state().unwrap().notes.len();
    assert!(seen <= committed + 1);
    let first = format!("{:?}", machine.poll());
    assert_eq!(format!("{:?}", machine.poll()), first);
    assert_eq!(machine.state().unwrap().notes.len(), seen, "committed twice");
    assert!(first.contains("Panicked"), "{first}");
    machine.snapshot().unwrap().to_json().unwrap();
}

#[test]
fn code_that_panics_leaves_the_machine_halted() {
    for (at, task) in [
        ("guard", None),
        ("count", Some("items")),
        ("prompt", Some("items")),
        ("ask", Some("person")),
        ("with", Some("process")),
        ("gate", Some("gate")),
        ("after none", Some("none")),
    ] {
        let mut machine = field(at);
        if let Some(task) = task {
            reply(&mut machine, go(task));
        }
        panics(&mut machine, |machine| drop(machine.poll()));
    }
}

#[test]
fn code_that_panics_while_an_answer_is_taken_in_commits_once_or_not() {
    for (at, commits) in [("check", 0), ("process_output", 0), ("next", 0)] {
        let mut machine = field(at);
        reply(&mut machine, go("plain"));
        let id = call(&mut machine).id;
        panics(&mut machine, |machine| {
            machine.handle(Event::Replied { id, reply: note("a", 1).into(), elapsed: SECOND });
        });
        assert_eq!(state(&machine).notes.len(), commits, "{at}");
    }
    let mut machine = field("with");
    let id = call(&mut machine).id;
    panics(&mut machine, |machine| {
        machine.handle(Event::Replied { id, reply: go("takes").into(), elapsed: SECOND });
    });
    let mut machine = field("check");
    reply(&mut machine, go("person"));
    let id = question(&mut machine).id;
    panics(&mut machine, |machine| {
        machine.handle(Event::Answered { id, answer: note("a", 1), elapsed: SECOND });
    });
}

#[test]
fn a_panic_within_a_process_halts_the_process_around_it() {
    let mut machine = field("check");
    reply(&mut machine, go("process"));
    let id = call(&mut machine).id;
    panics(&mut machine, |machine| {
        machine.handle(Event::Replied { id, reply: note("a", 1).into(), elapsed: SECOND });
    });
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!((halt.task, halt.reason), (FieldTask::Process, HaltReason::Panicked));
}

#[test]
fn a_mock_that_panics_halts() {
    for task in [MockedTask::Person, MockedTask::Function] {
        let mut machine = Mocked::machine();
        let mine = Mine { at: "mock".to_owned(), ..Mine::default() };
        machine.start_task(task, None, mine).unwrap();
        panics(&mut machine, |machine| drop(machine.poll()));
    }
}

cot_process! {
    process Mocked {
        state: Mine,
        mock_mode: true,
        task person -> Note { ask: "What?", mock: mocked, update: notes[], next: function }
        task function -> Note { run: run, mock: mocked, update: notes[], next: done }
        task done { end }
    }
}
