//! The rules of the machine: one call at a time, stale events, starting, limits, cancelling.

use cot_engine::{
    CallId, Event, EventOutcome, HaltReason, Machine, MachinePoll, StartError,
    private::{Definition, Ending},
};
use cot_model::ModelReply;
use serde_json::json;

use crate::harness::{NOTE, PROCESS, Run, SECOND, ai, append, end, go, note, process, to};

process! {
    Logging {
        hub: ai("").go(&[to(Self::write), to(Self::hub), to(Self::done)]),
        write: ai("").output(NOTE).commit(append),
        done: end(),
    }
    definition: Definition { max_steps: Some(50), default_return: Some(0), ..PROCESS };
}

fn event(id: CallId, answer: impl Into<ModelReply>) -> Event {
    Event::Replied { id, reply: answer.into(), elapsed: SECOND }
}

#[test]
fn a_machine_that_was_not_started_does_nothing() {
    let mut run = Machine::<Logging>::new();
    assert!(matches!(run.poll(), MachinePoll::Idle));
    assert!(run.is_idle() && run.state().is_none() && run.ending().is_none());
    let cancel = Event::Cancelled { reason: "x".into(), calls: 0 };
    assert_eq!(run.handle(cancel), EventOutcome::NotRunning);
}

#[test]
fn polling_again_gives_the_same_call_and_changes_nothing() {
    let mut run = Run::start::<Logging>(json!({})).after([go("write"), go("oops")]);
    let first = run.only();
    let before = run.snapshot_json();
    for _ in 0..3 {
        let again = run.only();
        assert_eq!(
            (again.id, again.attempt(), again.task),
            (first.id, first.attempt(), first.task)
        );
        assert_eq!(again.request(), first.request());
    }
    assert_eq!(run.snapshot_json(), before);
    assert_eq!(run.steps(), 2);
}

#[test]
fn polling_a_finished_machine_gives_the_same_outcome() {
    let mut run = Run::start::<Logging>(json!({})).after([go("done")]);
    for _ in 0..3 {
        assert_eq!(run.ending(), Ending::End("done"));
    }
}

#[test]
fn an_event_of_another_call_changes_nothing() {
    let mut run = Run::start::<Logging>(json!({}));
    let old = run.only().id;
    run.reply(go("write"));
    let present = run.only();
    assert_ne!(old, present.id);
    assert_eq!(run.handle(event(old, note("stale", 1))), EventOutcome::Stale);
    let late = Event::TimedOut { id: old, elapsed: SECOND };
    assert_eq!(run.handle(late), EventOutcome::Stale);
    assert_eq!(*run.state(), json!({}));
    assert_eq!((run.usage().calls, run.only().id), (1, present.id));

    assert_eq!(run.handle(event(present.id, note("fresh", 1))), EventOutcome::Applied);
    assert_eq!(run.handle(event(present.id, note("twice", 1))), EventOutcome::Stale);
    assert_eq!(run.state()["write"].as_array().unwrap().len(), 1);
}

#[test]
fn every_attempt_has_a_call_id_of_its_own() {
    let mut run = Run::start::<Logging>(json!({}));
    let first = run.only().id;
    run.reply("garbage");
    let second = run.only().id;
    assert_ne!(first, second);
    assert_eq!(run.handle(event(first, go("done"))), EventOutcome::Stale);
    assert_eq!(run.only().attempt(), 2);
}

#[test]
fn a_busy_machine_refuses_to_start_and_goes_on() {
    let mut machine = Machine::<Logging>::new();
    machine.start(json!({})).unwrap();
    for answer in [go("write"), note("a", 1)] {
        let id = machine.poll().directives()[0].id;
        machine.handle(event(id, answer));
    }
    let id = machine.poll().directives()[0].id;
    assert_eq!(machine.start(json!({})), Err(StartError::Busy));
    assert_eq!(machine.poll().directives()[0].id, id);
    assert_eq!(machine.state().unwrap()["write"], json!([note("a", 1)]));
    machine.handle(event(id, go("done")));
    assert!(matches!(machine.poll(), MachinePoll::Finished(())));
    machine.start(json!({})).unwrap();
    assert!(machine.state() == Some(&json!({})) && machine.history().is_empty());
    assert!(machine.poll().directives()[0].id > id, "ids are never used twice");
}

#[test]
fn steps_are_limited_by_the_options_before_the_declaration() {
    let mut run = Run::with::<Logging>(|options| options.max_steps = Some(4), json!({}));
    let mut calls = 0;
    while let [call] = &*run.directives() {
        // A bad reply first: attempts are no steps.
        let reply = if call.attempt() == 1 { "no".into() } else { go("hub").to_string() };
        let event = event(call.id, reply);
        run.handle(event);
        calls += 1;
    }
    assert_eq!(run.halt().reason, HaltReason::MaxSteps(4));
    assert_eq!((run.steps(), calls), (4, 8));
    let mut many = Run::start::<Logging>(json!({})).after((0..50).map(|_| go("hub")));
    assert_eq!(many.halt().reason, HaltReason::MaxSteps(50));
}

#[test]
fn cancelling_keeps_what_was_committed_and_says_why() {
    let mut run = Run::start::<Logging>(json!({})).after([go("write"), note("a", 1), go("write")]);
    run.reply("no");
    let id = run.only().id;
    assert_eq!(run.cancel("enough"), EventOutcome::Applied);
    let halt = run.halt();
    assert!(matches!(&halt.reason, HaltReason::Cancelled(why) if why == "enough"));
    assert_eq!((halt.task, halt.attempts.len()), ("write", 1));
    assert_eq!(run.state()["write"].as_array().unwrap().len(), 1);
    assert_eq!(run.handle(event(id, note("b", 1))), EventOutcome::NotRunning);
    assert_eq!(run.cancel("enough"), EventOutcome::NotRunning);
    assert_eq!(run.state()["write"].as_array().unwrap().len(), 1);
}

#[test]
fn boundaries_lie_between_tasks() {
    assert!(!Machine::<Logging>::new().at_task_boundary());
    let mut run = Run::start::<Logging>(json!({}));
    assert!(run.is_at_boundary());
    let id = run.only().id;
    assert!(!run.is_at_boundary());
    run.handle(event(id, "no"));
    assert!(!run.is_at_boundary(), "a retry is the same task");
    run.reply(go("write"));
    assert!(run.is_at_boundary());
    assert_eq!(run.history_json().as_array().map(Vec::len), Some(1));
}
