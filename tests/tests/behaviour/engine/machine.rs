//! The rules of the machine: one call at a time, stale events, starting, limits, cancelling.

use cot_core::{
    CallId, Event, EventOutcome, HaltReason, Machine, MachineOptions, MachinePoll, StartError,
    model::ModelReply, prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::drive::{
    Note, SECOND, after, call, go, history, note, outcome, reply, request, started, started_with,
    state,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Log {
    notes: Vec<Note>,
}

cot_process! {
    process Logging {
        state: Log,
        max_steps: 50,
        default_return: hub,
        task hub { transitions: { write, hub, done } }
        task write -> Note { update: notes[] }
        task done { end }
    }
}

fn event(id: CallId, answer: impl Into<ModelReply>) -> Event {
    Event::Replied { id, reply: answer.into(), elapsed: SECOND }
}

#[test]
fn a_machine_that_was_not_started_does_nothing() {
    let mut machine = Logging::machine();
    assert!(matches!(machine.poll(), MachinePoll::Idle));
    assert!(machine.is_idle() && machine.state().is_none() && machine.outcome().is_none());
    let cancel = Event::Cancelled { reason: "x".into() };
    assert_eq!(machine.handle(cancel), EventOutcome::NotRunning);
}

#[test]
fn polling_again_gives_the_same_call_and_changes_nothing() {
    let mut machine = after::<Logging, _>(Log::default(), [go("write"), go("oops")]);
    let first = call(&mut machine);
    let before = machine.snapshot().unwrap().to_json().unwrap();
    for _ in 0..3 {
        let again = call(&mut machine);
        assert_eq!(
            (again.id, again.key.attempt(), again.task),
            (first.id, first.key.attempt(), first.task)
        );
        assert_eq!(request(&again), request(&first));
    }
    assert_eq!(machine.snapshot().unwrap().to_json().unwrap(), before);
    assert_eq!(machine.steps(), 2);
}

#[test]
fn polling_a_finished_machine_gives_the_same_outcome() {
    let mut machine = after::<Logging, _>(Log::default(), [go("done")]);
    for _ in 0..3 {
        assert!(matches!(outcome(&mut machine), LoggingOutcome::Done));
    }
    assert!(matches!(machine.outcome(), Some(LoggingOutcome::Done)));
}

#[test]
fn an_event_of_another_call_changes_nothing() {
    let mut machine = started::<Logging>(Log::default());
    let old = call(&mut machine).id;
    reply(&mut machine, go("write"));
    let present = call(&mut machine);
    assert_ne!(old, present.id);
    assert_eq!(machine.handle(event(old, note("stale", 1))), EventOutcome::Stale);
    let late = Event::TimedOut { id: old, elapsed: SECOND };
    assert_eq!(machine.handle(late), EventOutcome::Stale);
    assert_eq!(*state(&machine), Log::default());
    assert_eq!((machine.usage().calls, call(&mut machine).id), (1, present.id));

    assert_eq!(machine.handle(event(present.id, note("fresh", 1))), EventOutcome::Applied);
    assert_eq!(machine.handle(event(present.id, note("twice", 1))), EventOutcome::Stale);
    assert_eq!(state(&machine).notes.len(), 1);
}

#[test]
fn every_attempt_has_a_call_id_of_its_own() {
    let mut machine = started::<Logging>(Log::default());
    let first = call(&mut machine).id;
    reply(&mut machine, "garbage");
    let second = call(&mut machine).id;
    assert_ne!(first, second);
    assert_eq!(machine.handle(event(first, go("done"))), EventOutcome::Stale);
    assert_eq!(call(&mut machine).key.attempt(), 2);
}

#[test]
fn a_busy_machine_refuses_to_start_and_goes_on() {
    let mut machine = after::<Logging, _>(Log::default(), [go("write"), note("a", 1)]);
    let id = call(&mut machine).id;
    assert_eq!(machine.start(Log::default()), Err(StartError::Busy));
    assert_eq!((state(&machine).notes.len(), call(&mut machine).id), (1, id));
    reply(&mut machine, go("done"));
    outcome(&mut machine);
    machine.start(Log::default()).unwrap();
    assert!(state(&machine).notes.is_empty() && machine.history().is_empty());
    assert!(call(&mut machine).id > id, "ids are never used twice");
}

#[test]
fn steps_are_limited_by_the_options_before_the_declaration() {
    let mut options = MachineOptions::default();
    options.max_steps = Some(4);
    let mut machine = started_with::<Logging>(options, Log::default());
    let mut calls = 0;
    while let MachinePoll::Waiting([call]) = machine.poll() {
        // A bad reply first: attempts are no steps.
        let reply = if call.key.attempt() == 1 { "no".into() } else { go("hub").to_string() };
        let event = event(call.id, reply);
        machine.handle(event);
        calls += 1;
    }
    let ended = outcome(&mut machine);
    assert!(matches!(ended.halt().unwrap().reason, HaltReason::MaxSteps(4)));
    assert_eq!((machine.steps(), calls), (4, 8));
    let many = (0..50).map(|_| go("hub"));
    let ended = outcome(&mut after::<Logging, _>(Log::default(), many));
    assert!(matches!(ended.halt().unwrap().reason, HaltReason::MaxSteps(50)));
}

#[test]
fn cancelling_keeps_what_was_committed_and_says_why() {
    let mut machine = after::<Logging, _>(Log::default(), [go("write"), note("a", 1), go("write")]);
    reply(&mut machine, "no");
    let id = call(&mut machine).id;
    let cancel = || Event::Cancelled { reason: "enough".into() };
    assert_eq!(machine.handle(cancel()), EventOutcome::Applied);
    let ended = outcome(&mut machine);
    let halt = ended.halt().unwrap();
    assert!(matches!(&halt.reason, HaltReason::Cancelled(why) if why == "enough"));
    assert_eq!((halt.task, halt.attempts.len()), (LoggingTask::Write, 1));
    assert_eq!(state(&machine).notes.len(), 1);
    assert_eq!(machine.handle(event(id, note("b", 1))), EventOutcome::NotRunning);
    assert_eq!(machine.handle(cancel()), EventOutcome::NotRunning);
    assert_eq!(state(&machine).notes.len(), 1);
}

#[test]
fn boundaries_lie_between_tasks() {
    let mut machine = Machine::<Logging>::new();
    assert!(!machine.at_task_boundary());
    machine.start(Log::default()).unwrap();
    assert!(machine.at_task_boundary());
    let id = call(&mut machine).id;
    assert!(!machine.at_task_boundary());
    machine.handle(event(id, "no"));
    assert!(!machine.at_task_boundary(), "a retry is the same task");
    reply(&mut machine, go("write"));
    assert!(machine.at_task_boundary());
    assert_eq!(history(&machine).as_array().map(Vec::len), Some(1));
}
