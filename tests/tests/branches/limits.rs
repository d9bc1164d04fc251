//! Budgets, time limits and limits of steps hold with branches in flight.

use std::time::Duration;

use cot_core::{Action, Budget, Event, HaltReason, Machine, MachineOptions, prelude::*};

use super::process::{Note, SECOND, Trip, answer, asked, note, waits_for};

cot_process! {
    process Limited {
        state: Trip,
        parallel both [one, other] => done { timeout: 10s, on: { timeout => late, budget => poor } }

        task one -> Note {
            full_prompt: "one ${state.left.len()}",
            update: left[],
            next: { one if state.left.len() < 9, done },
        }

        task other -> Note {
            full_prompt: "other ${state.right.len()}",
            update: right[],
            next: { other if state.right.len() < 9, done },
        }

        task late { fail: "late" }
        task poor { fail: "poor" }
        task done { end }
    }
}

fn limited(options: MachineOptions) -> Machine<Limited> {
    let mut machine = Machine::new().options(options);
    machine.start(Trip::new()).unwrap();
    machine
}

fn timeout_of(machine: &mut Machine<Limited>, wanted: &str) -> Option<Duration> {
    let poll = machine.poll();
    poll.directives().iter().find(|it| asked(it).starts_with(wanted)).unwrap().timeout
}

#[test]
fn the_time_limit_of_a_parallel_task_holds_in_each_branch() {
    let mut machine = limited(MachineOptions::default());
    assert_eq!(timeout_of(&mut machine, "one"), Some(10 * SECOND));
    for _ in 0..4 {
        answer(&mut machine, "one", note("x"));
    }
    assert_eq!(timeout_of(&mut machine, "one"), Some(6 * SECOND));
    assert_eq!(timeout_of(&mut machine, "other"), Some(10 * SECOND));
    let poll = machine.poll();
    let call = poll.directives().iter().find(|it| asked(it).starts_with("other")).unwrap();
    let (id, elapsed) = (call.id, 10 * SECOND);
    machine.handle(Event::TimedOut { id, elapsed });
    machine.poll();
    assert_eq!(machine.outcome(), Some(LimitedOutcome::Late("late".to_owned())));
    assert_eq!(machine.last_failure().unwrap().reason, HaltReason::TaskTimeout(10 * SECOND));
}

#[test]
fn the_time_limit_of_the_run_holds_in_each_branch() {
    let mut options = MachineOptions::default();
    options.timeout = Some(3 * SECOND);
    let mut machine = limited(options);
    answer(&mut machine, "one", note("x"));
    answer(&mut machine, "one", note("x"));
    assert_eq!(timeout_of(&mut machine, "one"), Some(SECOND));
    assert_eq!(timeout_of(&mut machine, "other"), Some(3 * SECOND));
    answer(&mut machine, "one", note("x"));
    machine.poll();
    let Some(LimitedOutcome::Halted(halt)) = machine.outcome() else { panic!() };
    assert_eq!((halt.task, halt.reason), (LimitedTask::Both, HaltReason::RunTimeout(3 * SECOND)));
}

#[test]
fn calls_in_flight_in_other_branches_count_against_the_budget() {
    let budget = Budget { calls: Some(3), ..Budget::default() };
    let mut options = MachineOptions::default();
    options.budget = Some(budget);
    let mut machine = limited(options);
    assert_eq!(waits_for(&mut machine).len(), 2);
    answer(&mut machine, "one", note("x"));
    // One call is made, and two are in flight.
    assert_eq!(waits_for(&mut machine).len(), 2);
    answer(&mut machine, "one", note("x"));
    machine.poll();
    assert_eq!(machine.outcome(), Some(LimitedOutcome::Poor("poor".to_owned())));
    assert_eq!(machine.usage().calls, 2);
}

#[test]
fn steps_of_all_branches_count() {
    let mut options = MachineOptions::default();
    options.max_steps = Some(5);
    let mut machine = limited(options);
    answer(&mut machine, "one", note("x"));
    answer(&mut machine, "other", note("x"));
    answer(&mut machine, "one", note("x"));
    machine.poll();
    let Some(LimitedOutcome::Halted(halt)) = machine.outcome() else { panic!() };
    assert_eq!((halt.task, halt.reason), (LimitedTask::Both, HaltReason::MaxSteps(5)));
}

async fn explode(_: &Trip) -> Result<u32, std::io::Error> {
    Ok(1)
}

fn is_fine(_: &Note, state: &Trip) -> Result<(), Issues> {
    assert!(!state.topics.is_empty(), "no topics");
    Ok(())
}

cot_process! {
    process Panicking {
        state: Trip,
        parallel both [one, other] => done { join: settled }
        task one -> Note { full_prompt: "one", check: is_fine, update: left[], next: done }
        task other -> u32 { run: explode, update: count, next: done }
        task done { end }
    }
}

#[test]
fn a_panic_in_a_branch_halts_the_run_whatever_the_join_is() {
    let mut machine = Machine::<Panicking>::new();
    machine.start(Trip::default()).unwrap();
    let poll = machine.poll();
    assert!(poll.directives().iter().any(|it| matches!(it.action, Action::RunFunction(_))));
    answer(&mut machine, "one", note("x"));
    machine.poll();
    let Some(PanickingOutcome::Halted(halt)) = machine.outcome() else { panic!() };
    assert_eq!(halt.task, PanickingTask::Both);
    let HaltReason::Panicked(panic) = &halt.reason else { panic!("{halt:?}") };
    assert_eq!(&*panic.task, "one");
    assert!(panic.message.contains("no topics"), "{panic:?}");
}
