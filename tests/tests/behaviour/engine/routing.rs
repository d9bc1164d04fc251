//! Where a run goes after success, and the chain of callers.

use cot_core::{Machine, prelude::*};
use serde::{Deserialize, Serialize};

use crate::drive::{Note, after, call, go, note, outcome, reply};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Choice {
    armed: bool,
    listed: bool,
}

fn choose(note: &Note, choice: &mut Choice) -> OrderedFirstChoice {
    choice.listed = true;
    if note.rank == 0 { OrderedFirstChoice::Chosen } else { OrderedFirstChoice::Other }
}

// `first` has all that can say where to go; the others have one thing less each.
cot_process! {
    process Ordered {
        state: Choice,
        start: hub,
        default_return: default,
        sequence main [first, second, third]
        task hub { transitions: { first, second, third, fourth } }
        task first -> Note { process_output: choose -> [chosen, other] }
        task second -> Note { next: arm }
        task third -> Note {}
        task fourth -> Note { next: { arm if output.rank == 1, sequenced } }
        task default { end }
        task chosen { end }
        task other { end }
        task arm { end }
        task sequenced { end }
    }
}

fn ended_after(task: &str, rank: u32) -> OrderedOutcome {
    outcome(&mut after::<Ordered, _>(Choice::default(), [go(task), note("x", rank)]))
}

#[test]
fn a_choice_comes_before_the_sequence() {
    assert!(matches!(ended_after("first", 0), OrderedOutcome::Chosen));
    assert!(matches!(ended_after("first", 1), OrderedOutcome::Other));
}

#[test]
fn next_comes_before_the_sequence() {
    assert!(matches!(ended_after("second", 0), OrderedOutcome::Arm));
}

#[test]
fn the_default_return_comes_before_the_calling_task() {
    assert!(matches!(ended_after("third", 0), OrderedOutcome::Default));
}

#[test]
fn the_first_arm_that_holds_is_taken() {
    assert!(matches!(ended_after("fourth", 1), OrderedOutcome::Arm));
    assert!(matches!(ended_after("fourth", 2), OrderedOutcome::Sequenced));
}

cot_process! {
    process SequenceBeforeDefault {
        state: Choice,
        default_return: away,
        sequence main [one, two]
        task one -> Note {}
        task two -> Note {}
        task away { end }
    }
}

#[test]
fn the_sequence_comes_before_the_default_return() {
    let mut machine = after::<SequenceBeforeDefault, _>(Choice::default(), [note("x", 1)]);
    assert_eq!(call(&mut machine).task, SequenceBeforeDefaultTask::Two);
    reply(&mut machine, note("x", 1));
    assert!(matches!(outcome(&mut machine), SequenceBeforeDefaultOutcome::Away));
}

// Hubs that call each other, and a task that returns to whoever called it.
cot_process! {
    process Hubs {
        state: Choice,
        task outer { transitions: { middle, work, done } }
        task middle { transitions: { inner, work, outer } }
        task inner { transitions: { work, relay, inner, middle, outer } }
        task work -> Note { transitions: { inner } }
        task relay -> Note { next: passed }
        task passed -> Note {}
        task done { end }
    }
}

fn hubs(path: &[&str]) -> Machine<Hubs> {
    after(Choice::default(), path.iter().map(|task| go(task)))
}

fn callers(machine: &Machine<Hubs>) -> Vec<&'static str> {
    machine.callers().map(TaskId::name).collect()
}

#[test]
fn a_task_that_says_nothing_returns_to_the_calling_task() {
    for (path, back) in [
        (&["work"][..], HubsTask::Outer),
        (&["middle", "work"], HubsTask::Middle),
        (&["middle", "inner", "work"], HubsTask::Inner),
    ] {
        let mut machine = hubs(path);
        assert_eq!(call(&mut machine).task, HubsTask::Work);
        reply(&mut machine, note("x", 1));
        assert_eq!(call(&mut machine).task, back);
        assert_eq!(callers(&machine).len(), path.len() - 1, "the caller waits no longer");
    }
}

#[test]
fn a_transition_to_a_waiting_task_unwinds_to_it() {
    let mut machine = hubs(&["middle", "inner"]);
    assert_eq!(callers(&machine), ["outer", "middle"]);
    reply(&mut machine, go("outer"));
    assert_eq!(callers(&machine), [""; 0]);
    let machine = hubs(&["middle", "inner", "middle"]);
    assert_eq!(callers(&machine), ["outer"]);
    let machine = hubs(&["middle", "inner", "inner", "inner", "work"]);
    assert_eq!(callers(&machine), ["outer", "middle", "inner"], "no task waits twice");
}

#[test]
fn next_keeps_the_caller() {
    let mut machine = hubs(&["middle", "inner", "relay"]);
    reply(&mut machine, note("x", 1));
    assert_eq!(call(&mut machine).task, HubsTask::Passed);
    assert_eq!(callers(&machine), ["outer", "middle", "inner"]);
    reply(&mut machine, note("x", 1));
    assert_eq!(call(&mut machine).task, HubsTask::Inner);
}

#[test]
fn the_chain_of_callers_never_outgrows_the_tasks() {
    let circle = ["middle", "inner", "work", "inner", "outer"];
    let mut machine = hubs(&[]);
    for task in circle.iter().cycle().take(500) {
        reply(&mut machine, go(task));
        let mut chain = callers(&machine);
        chain.sort_unstable();
        chain.dedup();
        assert_eq!(chain.len(), callers(&machine).len());
        assert!(chain.len() < HubsTask::ALL.len());
    }
}

cot_process! {
    process Short {
        state: Choice,
        task only -> Note { update: { armed = true }, may_end }
    }
}

#[test]
fn with_no_route_and_no_caller_the_run_is_over() {
    let mut machine = after::<Short, _>(Choice::default(), [note("x", 1)]);
    assert!(matches!(outcome(&mut machine), ShortOutcome::RanOut(ShortTask::Only)));
    assert!(machine.state().unwrap().armed);
}
