//! Engines that stand in for each other.

use cot_core::{
    Event, Failure, Fallback, HaltReason, Machine, MachineOptions,
    model::{FinishReason, ModelError, ModelErrorKind, ModelReply},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::drive::survives;
use crate::drive::{Note, SECOND, call, note, outcome, reply, started_with};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Wall {
    notes: Vec<Note>,
}

cot_process! {
    process Choir {
        state: Wall,
        model: ["first", "second"],
        max_retries: 1,

        task sing -> Note {
            update: notes[],
            on: { refused => silent, exhausted => silent },
            next: hum,
        }

        task hum -> Note { model: "own", update: notes[], next: silent }
        task silent { end }
    }
}

fn choir(fallback: Fallback) -> Machine<Choir> {
    let mut options = MachineOptions::default();
    options.fallback = fallback;
    started_with(options, Wall::default())
}

fn fail(machine: &mut Machine<Choir>, kind: ModelErrorKind) {
    let id = call(machine).id;
    machine.handle(Event::Failed { id, error: ModelError::new(kind, "gone"), elapsed: SECOND });
}

fn engine(machine: &mut Machine<Choir>) -> Option<&'static str> {
    crate::drive::engine(&call(machine))
}

fn refusal() -> ModelReply {
    ModelReply::new("no").finish(FinishReason::Refusal)
}

#[test]
fn the_next_engine_is_asked_where_one_can_not_be_reached() {
    let mut machine = choir(Fallback::Unreachable);
    assert_eq!(engine(&mut machine), Some("first"));
    fail(&mut machine, ModelErrorKind::Connection);
    assert_eq!((engine(&mut machine), call(&mut machine).key.attempt()), (Some("second"), 2));
    survives(&mut machine);
    reply(&mut machine, note("a", 1));
    assert_eq!(engine(&mut machine), Some("own"));
    fail(&mut machine, ModelErrorKind::Connection);
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert!(matches!(halt.reason, HaltReason::Unreachable(_)));
    assert_eq!(halt.attempts[0].engine.as_deref(), Some("own"));
}

#[test]
fn the_last_engine_that_can_not_be_reached_halts() {
    let mut machine = choir(Fallback::Unreachable);
    fail(&mut machine, ModelErrorKind::Connection);
    fail(&mut machine, ModelErrorKind::Timeout);
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    let engines: Vec<_> = halt.attempts.iter().filter_map(|it| it.engine.as_deref()).collect();
    assert_eq!(engines, ["first", "second"]);
    assert!(halt.attempts.iter().all(|attempt| attempt.failure == Failure::Unreachable));
    assert_eq!(machine.usage().calls, 2);
}

#[test]
fn the_next_engine_has_retries_of_its_own() {
    let mut machine = choir(Fallback::Unreachable);
    reply(&mut machine, "bad");
    fail(&mut machine, ModelErrorKind::Connection);
    reply(&mut machine, "bad");
    assert_eq!((engine(&mut machine), call(&mut machine).key.attempt()), (Some("second"), 4));
    reply(&mut machine, "bad");
    assert_eq!(outcome(&mut machine), ChoirOutcome::Silent);
    assert_eq!(machine.last_failure().unwrap().attempts.len(), 4);
}

#[test]
fn a_reply_that_is_rejected_moves_to_no_other_engine() {
    let mut machine = choir(Fallback::Refused);
    reply(&mut machine, "bad");
    assert_eq!(engine(&mut machine), Some("first"));
    reply(&mut machine, "bad");
    assert_eq!(outcome(&mut machine), ChoirOutcome::Silent);
}

#[test]
fn a_refusal_moves_on_only_where_that_is_wanted() {
    let mut machine = choir(Fallback::Unreachable);
    reply(&mut machine, refusal());
    assert_eq!(outcome(&mut machine), ChoirOutcome::Silent);
    let mut machine = choir(Fallback::Refused);
    reply(&mut machine, refusal());
    assert_eq!(engine(&mut machine), Some("second"));
    survives(&mut machine);
    reply(&mut machine, refusal());
    assert_eq!(outcome(&mut machine), ChoirOutcome::Silent);
    assert!(
        matches!(machine.last_failure().unwrap().reason, HaltReason::Refused(said) if said == "no")
    );
}

#[test]
fn a_replay_that_diverged_halts_at_once() {
    let mut machine = choir(Fallback::Refused);
    fail(&mut machine, ModelErrorKind::Diverged);
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!((halt.task, halt.attempts.len()), (ChoirTask::Sing, 1));
}
