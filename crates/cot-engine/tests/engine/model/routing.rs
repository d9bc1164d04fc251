//! Where a run goes after success, and the chain of callers.

use cot_engine::private::{Ending, to as chosen};
use serde_json::json;

use crate::harness::{NOTE, PROCESS, Run, ai, end, go, note, only_if, process, to};
use cot_engine::private::Definition;

process! {
    /// Its task `first` has all that can say where to go; the others have one thing less each.
    Ordered {
        hub: ai("").go(&[to(Self::first), to(Self::second), to(Self::third), to(Self::fourth)]),
        first: ai("")
            .output(NOTE)
            .choices(&[Self::chosen, Self::other])
            .commit(|note, _, _| {
                let task = if note["rank"] == 0 { Self::chosen } else { Self::other };
                Ok(Some(chosen(task)))
            })
            .in_sequence(Self::second),
        second: ai("").output(NOTE).next(&[Self::arm]).in_sequence(Self::third),
        third: ai("").output(NOTE),
        fourth: ai("")
            .output(NOTE)
            .next(&[Self::arm, Self::sequenced])
            .arms(&[only_if(|_, output| output.is_some_and(|note| note["rank"] == 1))]),
        default: end(),
        chosen: end(),
        other: end(),
        arm: end(),
        sequenced: end(),
    }
    definition: Definition { default_return: Some(5), ..PROCESS };
}

process! {
    SequenceBeforeDefault {
        one: ai("").output(NOTE).in_sequence(Self::two),
        two: ai("").output(NOTE),
        away: end(),
    }
    definition: Definition { default_return: Some(2), ..PROCESS };
}

process! {
    /// Hubs that call each other, a task that returns to its caller, and one with neither route nor caller.
    Hubs {
        outer: ai("").go(&[to(Self::middle), to(Self::work), to(Self::done)]),
        middle: ai("").go(&[to(Self::inner), to(Self::work), to(Self::outer)]),
        inner: ai("").go(&[
            to(Self::work),
            to(Self::relay),
            to(Self::inner),
            to(Self::middle),
            to(Self::outer),
        ]),
        work: ai("").output(NOTE).go(&[to(Self::inner)]),
        relay: ai("").output(NOTE).next(&[Self::passed]),
        passed: ai("").output(NOTE),
        done: end(),
    }
}

fn ended_after(task: &str, rank: u32) -> Ending<&'static str> {
    Run::start::<Ordered>(json!({})).after([go(task), note("x", rank)]).ending()
}

fn hubs(path: &[&str]) -> Run {
    Run::start::<Hubs>(json!({})).after(path.iter().map(|task| go(task)))
}

#[test]
fn a_choice_comes_before_the_sequence() {
    assert_eq!(ended_after("first", 0), Ending::End("chosen"));
    assert_eq!(ended_after("first", 1), Ending::End("other"));
}

#[test]
fn next_comes_before_the_sequence() {
    assert_eq!(ended_after("second", 0), Ending::End("arm"));
}

#[test]
fn the_default_return_comes_before_the_calling_task() {
    assert_eq!(ended_after("third", 0), Ending::End("default"));
}

#[test]
fn the_first_arm_that_holds_is_taken() {
    assert_eq!(ended_after("fourth", 1), Ending::End("arm"));
    assert_eq!(ended_after("fourth", 2), Ending::End("sequenced"));
}

#[test]
fn the_sequence_comes_before_the_default_return() {
    let mut run = Run::start::<SequenceBeforeDefault>(json!({})).after([note("x", 1)]);
    assert_eq!(run.only().task, "two");
    run.reply(note("x", 1));
    assert_eq!(run.ending(), Ending::End("away"));
}

#[test]
fn a_task_that_says_nothing_returns_to_the_calling_task() {
    for (path, back) in [
        (&["work"][..], "outer"),
        (&["middle", "work"], "middle"),
        (&["middle", "inner", "work"], "inner"),
    ] {
        let mut run = hubs(path);
        assert_eq!(run.only().task, "work");
        run.reply(note("x", 1));
        assert_eq!(run.only().task, back);
        assert_eq!(run.callers().len(), path.len() - 1, "the caller waits no longer");
    }
}

#[test]
fn a_transition_to_a_waiting_task_unwinds_to_it() {
    let mut run = hubs(&["middle", "inner"]);
    assert_eq!(run.callers(), ["outer", "middle"]);
    run.reply(go("outer"));
    assert_eq!(run.callers(), [""; 0]);
    let run = hubs(&["middle", "inner", "middle"]);
    assert_eq!(run.callers(), ["outer"]);
    let run = hubs(&["middle", "inner", "inner", "inner", "work"]);
    assert_eq!(run.callers(), ["outer", "middle", "inner"], "no task waits twice");
}

#[test]
fn next_keeps_the_caller() {
    let mut run = hubs(&["middle", "inner", "relay"]);
    run.reply(note("x", 1));
    assert_eq!(run.only().task, "passed");
    assert_eq!(run.callers(), ["outer", "middle", "inner"]);
    run.reply(note("x", 1));
    assert_eq!(run.only().task, "inner");
}

#[test]
fn the_chain_of_callers_never_outgrows_the_tasks() {
    let circle = ["middle", "inner", "work", "inner", "outer"];
    let mut run = hubs(&[]);
    for task in circle.iter().cycle().take(500) {
        run.reply(go(task));
        let mut chain = run.callers();
        chain.sort_unstable();
        chain.dedup();
        assert_eq!(chain.len(), run.callers().len());
        assert!(chain.len() < run.definition().tasks.len());
    }
}

#[test]
fn with_no_route_and_no_caller_the_run_is_over() {
    let mut run = Run::at::<Hubs>("passed", json!({})).after([note("x", 1)]);
    assert_eq!(run.ending(), Ending::RanOut("passed"));
    assert_eq!(run.state()["passed"], note("x", 1));
}
