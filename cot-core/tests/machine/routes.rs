//! Routes in their order, and the calling task.

use cot_core::prelude::*;

use crate::{
    drive::{call, field, fields, go, names, outcome, reply, started, started_with},
    lab::{Field, Lab, LabOutcome, LabTask, State},
};

#[test]
fn a_task_that_says_nothing_returns_to_the_calling_task() {
    let mut machine = started();
    reply(&mut machine, go("add"));
    assert_eq!(machine.callers().collect::<Vec<_>>(), [LabTask::Decide]);
    reply(&mut machine, field("a"));
    assert_eq!(call(&mut machine).task, LabTask::Decide);
    assert_eq!(machine.callers().count(), 0);
}

#[test]
fn callers_are_popped_one_by_one() {
    let mut machine = started();
    reply(&mut machine, go("review"));
    reply(&mut machine, go("add"));
    reply(&mut machine, field("a"));
    assert_eq!(call(&mut machine).task, LabTask::Review);
    assert_eq!(machine.callers().collect::<Vec<_>>(), [LabTask::Decide]);
    reply(&mut machine, field("b"));
    assert_eq!(call(&mut machine).task, LabTask::Decide);
    assert_eq!(names(machine.state()), ["a", "b"]);
}

#[test]
fn arms_see_the_output_and_the_state_after_it() {
    let mut machine = started();
    reply(&mut machine, go("review"));
    reply(&mut machine, field("stop"));
    assert_eq!(outcome(&mut machine), LabOutcome::Done);
    // With the fourth field, the second arm is taken, which leads through the gateway.
    let state = State { fields: fields(["a"]), ..State::default() };
    let mut machine = started_with::<Lab>(state);
    reply(&mut machine, go("review"));
    for name in ["b", "c"] {
        reply(&mut machine, go("add"));
        reply(&mut machine, field(name));
    }
    reply(&mut machine, field("d"));
    assert_eq!(call(&mut machine).task, LabTask::Decide);
    assert_eq!(machine.callers().count(), 0);
}

#[test]
fn gateways_cost_no_step_and_lead_on() {
    let note = Some("why".to_owned());
    let mut machine = started_with::<StartsAtGate>(State { note, ..State::default() });
    let why = StartsAtGateOutcome::Failed("note \"why\"".to_owned());
    assert_eq!(outcome(&mut machine), why);
    assert_eq!(machine.steps(), 0);
    let mut machine = started_with::<StartsAtGate>(State::default());
    assert_eq!(call(&mut machine).task, StartsAtGateTask::Decide);
    assert_eq!(machine.steps(), 1);
}

#[test]
fn a_choice_of_process_output_comes_first() {
    let mut machine = started_with::<Returning>(State::default());
    reply(&mut machine, field("fail"));
    assert_eq!(outcome(&mut machine), ReturningOutcome::Failed("no note".to_owned()));
    assert_eq!(names(machine.state()), ["fail"]);
}

#[test]
fn the_default_return_comes_before_the_calling_task() {
    let mut machine = started_with::<Returning>(State::default());
    reply(&mut machine, field("a"));
    assert_eq!(call(&mut machine).task, ReturningTask::Review);
    reply(&mut machine, go("add"));
    reply(&mut machine, field("b"));
    assert_eq!(call(&mut machine).task, ReturningTask::Review);
    assert_eq!(machine.callers().count(), 0);
}

#[test]
fn the_sequence_comes_before_the_default_return() {
    let mut machine = started_with::<InSequence>(State::default());
    reply(&mut machine, go("add"));
    reply(&mut machine, field("a"));
    assert_eq!(outcome(&mut machine), InSequenceOutcome::Done);
}

#[test]
fn without_a_route_the_run_ends() {
    let mut machine = started_with::<NoRoute>(State::default());
    reply(&mut machine, field("a"));
    let end = NoRouteOutcome::RanOut(NoRouteTask::Add);
    assert_eq!(outcome(&mut machine), end);
    assert_eq!(machine.outcome(), Some(end));
}

cot_process! {
    process StartsAtGate {
        state: State,
        start: gate,
        task decide { transitions: { gate } }
        task gate { next: { failed if state.note.is_some(), decide } }
        task failed { fail: "note ${json(state.note)}" }
    }
}

fn judge(field: &Field, state: &mut State) -> ReturningFirstChoice {
    state.fields.push(field.clone());
    match field.name.as_str() {
        "fail" => ReturningFirstChoice::Failed,
        _ => ReturningFirstChoice::Review,
    }
}

cot_process! {
    process Returning {
        state: State,
        default_return: review,
        task first -> Field { process_output: judge -> [failed, review] }
        task review { transitions: { add, failed } }
        task add -> Field { update: fields[] }
        task failed { fail: "no note" }
    }
}

cot_process! {
    process InSequence {
        state: State,
        start: again,
        default_return: again,
        sequence way [add, done]
        task again { transitions: { add } }
        task add -> Field { update: fields[] }
        task done { end }
    }
}

cot_process! {
    process NoRoute {
        state: State,
        task add -> Field { update: fields[], may_end }
    }
}
