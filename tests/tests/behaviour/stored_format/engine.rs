//! Drives a machine by the script. Nothing else here touches directives, events and what runs tell.

use cot_core::{
    Action, Directive, Event, EventOutcome, Machine, ModelCall, Process, ResumeOptions, RunEvent,
    Snapshot, TaskId,
};
use serde_json::Value;

use super::{
    endings::Inner,
    script::{self, LEFT, Said},
    tale::{Tale, end},
    tour::Team,
};
use crate::{drive::SECOND, kinds::drive::result_of};

/// A machine that has just begun, and tells what happens.
pub(super) fn begun<P: Process<Context = ()>>(state: P::State) -> Machine<P> {
    let mut machine = Machine::new();
    machine.record(true);
    machine.start(state).unwrap();
    machine
}

/// A machine that goes on from a snapshot, and tells what happens.
pub(super) fn resumed<P: Process<Context = ()>>(snapshot: &str) -> Machine<P> {
    let snapshot = Snapshot::from_json(snapshot).unwrap();
    let mut machine = Machine::resume(snapshot, ResumeOptions::new()).unwrap();
    machine.record(true);
    machine
}

/// The run as text.
pub(super) fn snapshot<P: Process<Context = ()>>(machine: &Machine<P>) -> String {
    machine.snapshot().unwrap().to_json().unwrap()
}

/// Starts what is to be done next.
pub(super) fn poll<P: Process<Context = ()>>(machine: &mut Machine<P>) {
    machine.poll();
}

/// Performs what is to be done next; false at the end of the run.
pub(super) fn step<P: Process<Context = ()>>(machine: &mut Machine<P>) -> bool {
    let Some(last) = machine.poll().directives().last() else { return false };
    let Some(event) = answer(last) else { return false };
    assert_ne!(machine.handle(event), EventOutcome::Stale);
    true
}

/// The end of a run that has ended.
pub(super) fn ended<P: Tale>(machine: &Machine<P>) -> Value {
    let (outcome, state) = (machine.outcome().unwrap(), machine.state().unwrap());
    end::<P>(&outcome, state, machine.history(), machine.usage())
}

/// What has happened since the last call, without what a resumed run tells a second time.
pub(super) fn told<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Vec<String> {
    machine.drain_events().filter_map(|event| line(&event)).collect()
}

/// What the script has to say; of several calls the last is answered first.
fn answer<T: TaskId>(directive: &Directive<T>) -> Option<Event> {
    let id = directive.id;
    Some(match &directive.action {
        Action::CallModel(call) => reply(directive, call),
        Action::RunFunction(_) => Event::Ran { id, result: result_of(directive), elapsed: SECOND },
        Action::AskHuman(question) => match script::said(question) {
            Said::Answer(answer) => Event::Answered { id, answer, elapsed: SECOND },
            Said::Nothing => Event::TimedOut { id, elapsed: directive.timeout? },
            Said::Leaves => Event::Cancelled { reason: LEFT.to_owned(), calls: 0 },
        },
        Action::Sleep { .. } => Event::Woken { id },
    })
}

fn reply<T: TaskId>(directive: &Directive<T>, call: &ModelCall) -> Event {
    let (id, elapsed) = (directive.id, script::latency(&call.request));
    if let Some(limit) = directive.timeout.filter(|limit| *limit < elapsed) {
        return Event::TimedOut { id, elapsed: limit };
    }
    match script::reply(call.engine.unwrap_or("default"), &call.request) {
        Ok(reply) => Event::Replied { id, reply, elapsed },
        Err(error) => Event::Failed { id, error, elapsed },
    }
}

/// One line for what happened; none for what is told again.
fn line<T: TaskId, O>(event: &RunEvent<T, O>) -> Option<String> {
    Some(match event {
        RunEvent::TaskStarted { task, step, .. } => format!("{task} starts as step {step}"),
        RunEvent::Repaired { task, item, attempt, repairs } => {
            let repairs: Vec<String> = repairs.iter().map(ToString::to_string).collect();
            format!("{task} {item:?} attempt {attempt} repaired: {}", repairs.join(", "))
        }
        RunEvent::AttemptFailed { task, attempt, will_retry } => {
            let (item, number, issues) = (attempt.item, attempt.number, &attempt.issues);
            format!("{task} {item:?} attempt {number} failed, retries: {will_retry}: {issues}")
        }
        RunEvent::ItemDone { task, item, usage, elapsed, .. } => {
            format!("{task} {item} done: {} tokens, {elapsed:?}", usage.total_tokens())
        }
        RunEvent::Committed { task, usage, elapsed, .. } => {
            format!("{task} committed: {} tokens, {elapsed:?}", usage.total_tokens())
        }
        RunEvent::Transitioned { task, go_to, intent, step_after, .. } => {
            format!("{task} goes to {go_to}: {intent}, {step_after}")
        }
        RunEvent::TaskFinished { task, next, route } => {
            let next = next.map(|next| next.to_string());
            format!("{task} finished, next: {next:?} by {route:?}")
        }
        RunEvent::Nested { task, process, .. } => {
            let team = event.nested::<Team>().as_ref().map(line);
            let inner = team.or_else(|| event.nested::<Inner>().as_ref().map(line)).unwrap()?;
            format!("{task} > {process} > {inner}")
        }
        RunEvent::Finished { ending, usage, elapsed } => {
            let why = ending.why();
            format!("finished: {why:?}, {} tokens, {elapsed:?}", usage.total_tokens())
        }
        _ => return None,
    })
}
