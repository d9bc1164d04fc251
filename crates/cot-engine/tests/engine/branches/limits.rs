//! Budgets, time limits and limits of steps hold with branches in flight.

use std::time::Duration;

use cot_engine::{
    Budget, Event, HaltReason, MachineOptions,
    private::{Ending, Join, OnRoutes},
};
use serde_json::{Value, json};

use super::fan::{answer, asked, topic, topic_schema, waits_for};
use crate::harness::{
    Run, SECOND, ai, append, checked, code, end, fail, only_if, parallel, process, seconds,
};

process! {
    Limited {
        both: parallel(Join::All, &[Self::one, Self::other])
            .timeout(seconds(10))
            .on(OnRoutes { timeout: Some(Self::late), budget: Some(Self::poor), ..OnRoutes::NONE })
            .next(&[Self::done]),
        one: ai("one")
            .output(topic_schema)
            .commit(append)
            .next(&[Self::one, Self::done])
            .arms(&[only_if(|scope, _| length(&scope.state["one"]) < 9)]),
        other: ai("other")
            .output(topic_schema)
            .commit(append)
            .next(&[Self::other, Self::done])
            .arms(&[only_if(|scope, _| length(&scope.state["other"]) < 9)]),
        late: fail("late"),
        poor: fail("poor"),
        done: end(),
    }
}

process! {
    Panicking {
        both: parallel(Join::Settled, &[Self::one, Self::other]).next(&[Self::done]),
        one: ai("one")
            .output(topic_schema)
            .read(|given, _| checked(given, |_| panic!("no topics")))
            .next(&[Self::done]),
        other: code().result().next(&[Self::done]),
        done: end(),
    }
}

fn length(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

fn limited(change: impl FnOnce(&mut MachineOptions)) -> Run {
    Run::with::<Limited>(change, json!({}))
}

/// The time limit of a call.
fn timeout_of(run: &mut Run, wanted: &str) -> Option<Duration> {
    run.directives().iter().find(|call| asked(call).starts_with(wanted)).unwrap().timeout
}

#[test]
fn the_time_limit_of_a_parallel_task_holds_in_each_branch() {
    let mut run = limited(|_| {});
    assert_eq!(timeout_of(&mut run, "one"), Some(10 * SECOND));
    for _ in 0..4 {
        answer(&mut run, "one", topic("x"));
    }
    assert_eq!(timeout_of(&mut run, "one"), Some(6 * SECOND));
    assert_eq!(timeout_of(&mut run, "other"), Some(10 * SECOND));
    let calls = run.directives();
    let call = calls.iter().find(|call| asked(call).starts_with("other")).unwrap();
    let (id, elapsed) = (call.id, 10 * SECOND);
    run.handle(Event::TimedOut { id, elapsed });
    assert_eq!(run.ending(), Ending::Fail("late", "late".to_owned()));
    assert_eq!(run.last_failure().unwrap().reason, HaltReason::TaskTimeout(10 * SECOND));
}

#[test]
fn the_time_limit_of_the_run_holds_in_each_branch() {
    let mut run = limited(|options| options.timeout = Some(3 * SECOND));
    answer(&mut run, "one", topic("x"));
    answer(&mut run, "one", topic("x"));
    assert_eq!(timeout_of(&mut run, "one"), Some(SECOND));
    assert_eq!(timeout_of(&mut run, "other"), Some(3 * SECOND));
    answer(&mut run, "one", topic("x"));
    let halt = run.halt();
    assert_eq!((halt.task, halt.reason), ("both", HaltReason::RunTimeout(3 * SECOND)));
}

#[test]
fn calls_in_flight_in_other_branches_count_against_the_budget() {
    let budget = Budget { calls: Some(3), ..Budget::default() };
    let mut run = limited(|options| options.budget = Some(budget));
    assert_eq!(waits_for(&mut run).len(), 2);
    answer(&mut run, "one", topic("x"));
    // One call is made, and two are in flight.
    assert_eq!(waits_for(&mut run).len(), 2);
    answer(&mut run, "one", topic("x"));
    assert_eq!(run.ending(), Ending::Fail("poor", "poor".to_owned()));
    assert_eq!((run.usage().calls, run.usage().uncounted_calls), (3, 1));
}

#[test]
fn steps_of_all_branches_count() {
    let mut run = limited(|options| options.max_steps = Some(5));
    answer(&mut run, "one", topic("x"));
    answer(&mut run, "other", topic("x"));
    answer(&mut run, "one", topic("x"));
    let halt = run.halt();
    assert_eq!((halt.task, halt.reason), ("both", HaltReason::MaxSteps(5)));
}

#[test]
fn a_panic_in_a_branch_halts_the_run_whatever_the_join_is() {
    let mut run = Run::start::<Panicking>(json!({}));
    answer(&mut run, "one", topic("x"));
    let halt = run.halt();
    assert_eq!(halt.task, "both");
    let HaltReason::Panicked(panic) = &halt.reason else { panic!("{halt:?}") };
    assert_eq!(&*panic.task, "one");
    assert!(panic.message.contains("no topics"), "{panic:?}");
}
