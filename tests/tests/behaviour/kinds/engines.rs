//! Engines that stand in for each other.

use cot_core::{
    Action, Event, Failure, Fallback, HaltReason, Machine, MachineOptions, MachinePoll, Usage,
    model::{ModelError, ModelErrorKind},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::drive::survives;
use crate::drive::{Note, SECOND, call, only, outcome, started, started_with};

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

cot_process! {
    process Patient {
        state: Wall,
        model: ["first", "second"],

        task sing -> Note {
            retry: { max: 2, backoff: 1s..1s },
            update: notes[],
            on: { unreachable => silent },
            next: silent,
        }

        task silent { end }
    }
}

cot_process! {
    process Stubborn {
        state: Wall,
        model: ["first", "second"],

        task sing -> Note {
            retry: { max: 1, backoff: 1s..1s, timeouts },
            update: notes[],
            on: { unreachable => silent },
            next: silent,
        }

        task silent { end }
    }
}

/// The engines that are called until the task gives up, if each always fails in its way. Pauses are `pause`.
fn called<P: Process<Context = (), State = Wall>>(
    kinds: [&ModelErrorKind; 2],
) -> Vec<&'static str> {
    let mut machine: Machine<P> = started(Wall::default());
    let mut called = Vec::new();
    while let MachinePoll::Waiting(_) = machine.poll() {
        let due = only(&mut machine);
        let id = due.id;
        if let Action::Sleep { .. } = due.action {
            called.push("pause");
            machine.handle(Event::Woken { id });
        } else {
            let engine = crate::drive::engine(&due).unwrap();
            called.push(engine);
            let kind = kinds[usize::from(engine == "second")].clone();
            let error = ModelError::new(kind, "gone");
            machine.handle(Event::Failed { id, error, elapsed: SECOND });
        }
        survives(&mut machine);
    }
    called
}

#[test]
fn only_engines_whose_failure_may_pass_are_called_again() {
    use ModelErrorKind::{Account, Connection, Protocol, Unfinished};
    for (kinds, expected) in [
        ([&Account, &Account], "first second"),
        ([&Protocol, &Unfinished], "first second"),
        ([&Account, &Connection], "first second pause second pause second"),
        ([&Connection, &Account], "first second pause first pause first"),
        ([&Connection, &Connection], "first second pause first second pause first second"),
    ] {
        assert_eq!(called::<Patient>(kinds).join(" "), expected, "{kinds:?}");
    }
    let expected = "first second pause first second";
    assert_eq!(called::<Stubborn>([&Unfinished, &Unfinished]).join(" "), expected);
}

#[test]
fn a_reply_that_the_server_rejected_is_asked_again_with_its_message() {
    let mut machine = choir(Fallback::Unreachable);
    let rejected = || ModelError::new(ModelErrorKind::Rejected, "parameters did not match schema");
    let id = call(&mut machine).id;
    machine.handle(Event::Failed { id, error: rejected(), elapsed: SECOND });
    survives(&mut machine);
    let again = call(&mut machine);
    assert_eq!((crate::drive::engine(&again), again.key.attempt()), (Some("first"), 2));
    let prompt = crate::drive::request(&again).prompt();
    assert!(prompt.contains("parameters did not match schema"), "{prompt}");
    machine.handle(Event::Failed { id: again.id, error: rejected(), elapsed: SECOND });
    assert_eq!(outcome(&mut machine), ChoirOutcome::Silent);
    let failure = machine.last_failure().unwrap();
    assert!(matches!(failure.reason, HaltReason::Exhausted));
    assert!(failure.attempts.iter().all(|attempt| attempt.failure == Failure::Rejected));
}

#[test]
fn the_usage_of_a_failed_call_counts_and_is_not_zero_where_it_is_not_known() {
    let mut machine = choir(Fallback::Unreachable);
    let id = call(&mut machine).id;
    let known = ModelError::new(ModelErrorKind::Aborted, "gone");
    let error = known.with_usage(Some(Usage::for_call(20, 7)));
    machine.handle(Event::Failed { id, error, elapsed: SECOND });
    assert_eq!(machine.usage(), Usage::for_call(20, 7));
    fail(&mut machine, ModelErrorKind::Timeout);
    assert_eq!(machine.usage(), Usage::for_call(20, 7) + Usage::uncounted_call());
}

#[test]
fn a_failure_of_the_account_is_told_from_an_outage() {
    let mut machine = choir(Fallback::Unreachable);
    fail(&mut machine, ModelErrorKind::Account);
    fail(&mut machine, ModelErrorKind::Account);
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!(halt.reason.to_string(), "the account of the model can't be used: gone");
}
