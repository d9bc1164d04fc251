//! Routes in their order, and the calling task.

use cot_engine::private::Ending;
use serde_json::json;

use super::lab::{InSequence, Lab, Returning, StartsAtGate, field_named, fields, names, started};
use crate::harness::{Run, go};

#[test]
fn a_task_that_says_nothing_returns_to_the_calling_task() {
    let mut run = started().after([go("add")]);
    assert_eq!(run.callers(), ["decide"]);
    run.reply(field_named("a"));
    assert_eq!(run.task(), "decide");
    assert_eq!(run.callers(), [""; 0]);
}

#[test]
fn callers_are_popped_one_by_one() {
    let mut run = started().after([go("review"), go("add"), field_named("a")]);
    assert_eq!(run.task(), "review");
    assert_eq!(run.callers(), ["decide"]);
    run.reply(field_named("b"));
    assert_eq!(run.task(), "decide");
    assert_eq!(names(&run), ["a", "b"]);
}

#[test]
fn arms_see_the_output_and_the_state_after_it() {
    let mut run = started().after([go("review"), field_named("stop")]);
    assert_eq!(run.ending(), Ending::End("done"));
    // With the fourth field, the second arm is taken, which leads through the gateway.
    let mut run = Run::start::<Lab>(fields(["a"])).after([go("review")]);
    for name in ["b", "c"] {
        run = run.after([go("add"), field_named(name)]);
    }
    run.reply(field_named("d"));
    assert_eq!(run.task(), "decide");
    assert_eq!(run.callers(), [""; 0]);
}

#[test]
fn gateways_cost_no_step_and_lead_on() {
    let mut run = Run::start::<StartsAtGate>(json!({ "note": "why" }));
    assert_eq!(run.ending(), Ending::Fail("failed", "no".to_owned()));
    assert_eq!(run.steps(), 0);
    let mut run = Run::start::<StartsAtGate>(json!({}));
    assert_eq!(run.task(), "decide");
    assert_eq!(run.steps(), 1);
}

#[test]
fn a_failing_end_says_why_by_the_state() {
    let mut run = Run::at::<Lab>("failed", json!({ "note": "why" }));
    assert_eq!(run.ending(), Ending::Fail("failed", "note \"why\"".to_owned()));
}

#[test]
fn a_choice_of_the_commit_comes_first() {
    let mut run = Run::start::<Returning>(json!({})).after([field_named("fail")]);
    assert_eq!(run.ending(), Ending::Fail("failed", "no note".to_owned()));
    assert_eq!(names(&run), ["fail"]);
}

#[test]
fn the_default_return_comes_before_the_calling_task() {
    let mut run = Run::start::<Returning>(json!({})).after([field_named("a")]);
    assert_eq!(run.task(), "review");
    run = run.after([go("add"), field_named("b")]);
    assert_eq!(run.task(), "review");
    assert_eq!(run.callers(), [""; 0]);
}

#[test]
fn the_sequence_comes_before_the_default_return() {
    let mut run = Run::start::<InSequence>(json!({})).after([go("add"), field_named("a")]);
    assert_eq!(run.ending(), Ending::End("done"));
}
