//! Limits, failures to reach a model, cancellation, templates that fail.

use std::time::Duration;

use cot_core::{
    Event, EventOutcome, HaltReason, Machine, MachineOptions, Process,
    model::{ModelError, ModelErrorKind},
};

use crate::{
    drive::{SECOND, call, field, go, halt, outcome, reply, started, started_with},
    lab::{Full, FullOutcome, Hurried, HurriedOutcome, HurriedTask, Lab, LabTask, State},
};

fn limited<P: Process<Context = (), State = State>>(
    change: impl FnOnce(&mut MachineOptions),
) -> Machine<P> {
    let mut options = MachineOptions::default();
    change(&mut options);
    let mut machine = Machine::new().options(options);
    machine.start(State::default()).unwrap();
    machine
}

fn hurried_halt(machine: &mut Machine<Hurried>) -> cot_core::Halt<HurriedTask> {
    match outcome(machine) {
        HurriedOutcome::Halted(halt) => *halt,
        other => panic!("expected a halt, got {other:?}"),
    }
}

#[test]
fn steps_are_limited() {
    let mut machine = limited::<Lab>(|options| options.max_steps = Some(3));
    reply(&mut machine, go("add"));
    reply(&mut machine, "retries are no steps");
    reply(&mut machine, field("a"));
    reply(&mut machine, go("add"));
    let halt = halt(&mut machine);
    assert!(matches!(halt.reason, HaltReason::MaxSteps(3)));
    assert_eq!((halt.task, machine.steps()), (LabTask::Add, 3));
}

#[test]
fn a_call_has_what_is_left_of_task_and_run() {
    let mut machine = limited::<Hurried>(|options| options.timeout = Some(SECOND * 5));
    assert_eq!(call(&mut machine).timeout, Some(SECOND * 3));
    reply(&mut machine, "bad");
    assert_eq!(call(&mut machine).timeout, Some(SECOND * 2));
    reply(&mut machine, go("decide"));
    assert_eq!(call(&mut machine).timeout, Some(SECOND * 3));
    reply(&mut machine, go("decide"));
    assert_eq!(call(&mut machine).timeout, Some(SECOND * 2));
    let id = call(&mut machine).id;
    machine.handle(Event::TimedOut { id, elapsed: SECOND * 30 });
    let halt = hurried_halt(&mut machine);
    assert!(matches!(halt.reason, HaltReason::RunTimeout(limit) if limit == SECOND * 5));
    assert_eq!(halt.attempts.len(), 1);
}

#[test]
fn the_time_of_a_task_counts_over_its_attempts() {
    let mut machine = started_with::<Hurried>(State::default());
    let id = call(&mut machine).id;
    machine.handle(Event::TimedOut { id, elapsed: SECOND * 3 });
    assert!(
        matches!(hurried_halt(&mut machine).reason, HaltReason::TaskTimeout(limit) if limit == SECOND * 3)
    );
    let mut machine = started_with::<Hurried>(State::default());
    reply(&mut machine, "bad");
    let id = call(&mut machine).id;
    let late = Event::Replied { id, reply: "bad".into(), elapsed: SECOND * 2 };
    machine.handle(late);
    let halt = hurried_halt(&mut machine);
    assert!(matches!(halt.reason, HaltReason::TaskTimeout(_)));
    assert_eq!(halt.attempts.len(), 2);
}

#[test]
fn no_task_starts_after_the_time_of_the_run() {
    let mut machine = limited::<Lab>(|options| options.timeout = Some(SECOND));
    reply(&mut machine, go("add"));
    let halt = halt(&mut machine);
    assert!(matches!(halt.reason, HaltReason::RunTimeout(_)));
    assert_eq!((halt.task, machine.steps()), (LabTask::Add, 1));
}

#[test]
fn a_model_that_cannot_be_reached_halts() {
    let mut machine = started();
    let (id, elapsed) = (call(&mut machine).id, Duration::ZERO);
    let error = ModelError::new(ModelErrorKind::Connection, "refused");
    assert_eq!(machine.handle(Event::Failed { id, error, elapsed }), EventOutcome::Applied);
    assert!(matches!(halt(&mut machine).reason, HaltReason::Unreachable(_)));
    let mut machine = started();
    let id = call(&mut machine).id;
    machine.handle(Event::TimedOut { id, elapsed });
    assert!(matches!(halt(&mut machine).reason, HaltReason::Unreachable(_)));
}

#[test]
fn cancelling_works_at_any_time() {
    let cancel = || Event::Cancelled { reason: "enough".to_owned() };
    for replies in 0..3 {
        let mut machine = started();
        for text in [go("add").to_string(), "bad".to_owned()].iter().take(replies) {
            reply(&mut machine, text.as_str());
        }
        assert_eq!(machine.handle(cancel()), EventOutcome::Applied);
        assert!(matches!(halt(&mut machine).reason, HaltReason::Cancelled(why) if why == "enough"));
        assert_eq!(machine.handle(cancel()), EventOutcome::NotRunning);
    }
}

#[test]
fn a_template_that_fails_halts_with_the_reason() {
    let state = State { note: Some("x".to_owned()), ..State::default() };
    let mut machine = started_with::<Full>(state);
    reply(&mut machine, field("a"));
    let FullOutcome::Halted(halt) = outcome(&mut machine) else { panic!("no halt") };
    let HaltReason::Template(why) = halt.reason else { panic!("no template") };
    assert!(why.contains("key must be a string"), "{why}");
}
