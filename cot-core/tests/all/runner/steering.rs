//! Pausing, resuming and cancelling.

use std::{
    pin::Pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use cot_core::{
    ActiveRun, LanguageModel, Machine, ProcessEvent, ResumeOptions, RunEvent, RunHandle, Runner,
    Usage,
};

use crate::runner::{
    models::{Silent, Told},
    process::{Endless, Page, Straight, StraightTask as Task, said},
};

type Active = ActiveRun<Straight>;

fn start(model: impl LanguageModel + 'static) -> (Active, RunHandle) {
    let active = Runner::new().model(model).start(Page::default()).unwrap();
    let handle = active.handle();
    (active, handle)
}

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Reads events until the run waits.
fn until_waiting(active: &mut Active) -> Vec<ProcessEvent<Straight>> {
    let mut events = Vec::new();
    while let Poll::Ready(Some(event)) = poll(std::pin::pin!(active.next())) {
        events.push(event);
    }
    events
}

async fn until_committed(active: &mut Active, wanted: Task) {
    while let Some(event) = active.next().await {
        if matches!(event, RunEvent::Committed { task, .. } if task == wanted) {
            return;
        }
    }
    panic!("{wanted} has not committed");
}

#[tokio::test]
async fn cancelling_drops_the_call_in_flight_and_keeps_the_state() {
    let model = Silent::default();
    let (mut active, handle) = start(model.clone());
    until_waiting(&mut active);
    assert_eq!(model.in_flight(), 1);
    let run = tokio::spawn(active.finish().report());
    tokio::task::yield_now().await;
    handle.cancel("enough");
    handle.cancel("too late");
    let run = run.await.unwrap().unwrap();
    assert_eq!(model.in_flight(), 0);
    assert!(said(&run.outcome).contains("Cancelled(\"enough\")"), "{:?}", run.outcome);
    assert_eq!(run.state, Page::default());
    // The call was made, and nobody knows what it used.
    assert_eq!(run.usage, Usage::uncounted_call());
    assert!(!handle.is_paused());
}

#[tokio::test]
async fn a_run_can_be_cancelled_before_it_begins() {
    let model = Told::well();
    let (active, handle) = start(model.clone());
    handle.cancel("never mind");
    let run = active.finish().report().await.unwrap();
    assert!(said(&run.outcome).contains("never mind"), "{:?}", run.outcome);
    assert_eq!((model.calls(), run.usage), (0, Usage::default()));
}

#[tokio::test]
async fn dropping_a_run_drops_the_call() {
    let model = Silent::default();
    let (mut active, handle) = start(model.clone());
    until_waiting(&mut active);
    drop(active);
    assert_eq!(model.in_flight(), 0);
    handle.cancel("nobody listens");

    let runner = Runner::<Straight>::new().model(model.clone());
    let mut run = Box::pin(runner.run(Page::default()));
    assert!(poll(run.as_mut()).is_pending());
    assert_eq!(model.in_flight(), 1);
    drop(run);
    assert_eq!(model.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_wait_for_an_event_loses_neither_call_nor_event() {
    let model = Told::well().after(Duration::from_secs(5));
    let (mut active, _) = start(model.clone());
    let (mut events, mut waits) = (0, 0);
    loop {
        match tokio::time::timeout(Duration::from_secs(1), active.next()).await {
            Ok(Some(_)) => events += 1,
            Ok(None) => break,
            Err(_) => waits += 1,
        }
    }
    assert_eq!((model.calls(), events), (3, 14));
    assert!(waits >= 12, "{waits}");
}

#[tokio::test]
async fn a_pause_takes_effect_at_the_next_task() {
    let model = Told::well();
    let (mut active, handle) = start(model.clone());
    assert_eq!(active.step().await, Some(Task::First));
    assert!(matches!(active.next().await, Some(RunEvent::TaskStarted { task: Task::Second, .. })));
    handle.pause();
    handle.pause();
    assert!(!handle.is_paused(), "the second task has begun");
    let events = until_waiting(&mut active);
    assert!(matches!(
        &events[..],
        [
            RunEvent::Prompt { .. },
            RunEvent::Committed { task: Task::Second, .. },
            RunEvent::TaskFinished { task: Task::Second, .. },
            RunEvent::Paused
        ]
    ));
    assert!(handle.is_paused());
    assert_eq!(active.machine().state().unwrap().lines.len(), 2);
    assert_eq!((model.calls(), until_waiting(&mut active).len()), (2, 0));
    handle.resume();
    assert!(!handle.is_paused());
    assert_eq!(active.await.unwrap().state.lines.len(), 3);
}

#[tokio::test]
async fn a_run_can_pause_before_its_first_task_and_is_woken() {
    let (active, handle) = start(Told::well());
    handle.pause();
    let run = tokio::spawn(active.finish().report());
    while !handle.is_paused() {
        tokio::task::yield_now().await;
    }
    handle.resume();
    assert_eq!(run.await.unwrap().unwrap().state.lines.len(), 3);
}

#[tokio::test]
async fn a_pause_that_is_taken_back_in_time_is_none() {
    let (mut active, handle) = start(Told::well());
    assert!(matches!(active.next().await, Some(RunEvent::TaskStarted { .. })));
    handle.pause();
    handle.resume();
    let events = until_waiting(&mut active);
    assert!(!events.iter().any(|event| matches!(event, RunEvent::Paused)));
}

#[tokio::test]
async fn every_pause_is_told_once() {
    let (mut active, handle) = start(Told::well());
    let mut pauses = 0;
    loop {
        handle.pause();
        let events = until_waiting(&mut active);
        pauses += events.iter().filter(|event| matches!(event, RunEvent::Paused)).count();
        handle.resume();
        if active.next().await.is_none() {
            break;
        }
    }
    // Before each of the three tasks, and before the end.
    assert_eq!(pauses, 4);
}

#[tokio::test]
async fn a_pause_right_after_a_resume_holds_where_it_was() {
    let model = Told::well();
    let (mut active, handle) = start(model.clone());
    handle.pause();
    until_waiting(&mut active);
    handle.resume();
    handle.pause();
    assert!(matches!(&until_waiting(&mut active)[..], [RunEvent::Paused]));
    assert_eq!(model.calls(), 0);
}

#[tokio::test]
async fn a_paused_run_can_be_cancelled() {
    let (mut active, handle) = start(Told::well());
    until_committed(&mut active, Task::First).await;
    handle.pause();
    let run = tokio::spawn(active.finish().report());
    while !handle.is_paused() {
        tokio::task::yield_now().await;
    }
    let elsewhere = handle.clone();
    std::thread::spawn(move || elsewhere.cancel("no more")).join().unwrap();
    let run = run.await.unwrap().unwrap();
    assert!(said(&run.outcome).contains("no more"), "{:?}", run.outcome);
    assert_eq!(run.state.lines.len(), 1);
}

#[tokio::test]
async fn an_endless_run_lets_others_have_the_thread() {
    let active = Runner::<Endless>::new().model(Told::well()).start(Page::default());
    let active = active.unwrap();
    let handle = active.handle();
    let run = tokio::spawn(active.finish().report());
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    handle.cancel("enough");
    let run = run.await.unwrap().unwrap();
    assert!(said(&run.outcome).contains("enough"), "{:?}", run.outcome);
    assert!(run.state.lines.len() > 100);
}

#[tokio::test]
async fn a_snapshot_of_a_paused_run_goes_on_elsewhere() {
    let (mut active, handle) = start(Told::well());
    until_committed(&mut active, Task::First).await;
    handle.pause();
    until_waiting(&mut active);
    let snapshot = active.snapshot().unwrap();
    drop(active);
    let machine = Machine::resume(snapshot, ResumeOptions::new()).unwrap();
    let model = Told::well();
    let runner = Runner::<Straight>::new().model(model.clone());
    let mut active = runner.start_machine(machine).unwrap();
    assert!(matches!(active.next().await, Some(RunEvent::TaskStarted { task: Task::Second, .. })));
    assert_eq!(active.await.unwrap().state.lines.len(), 3);
    assert_eq!(model.calls(), 2);
}

#[tokio::test]
async fn a_snapshot_taken_during_a_call_makes_the_call_again() {
    let (mut active, _) = start(Silent::default());
    until_waiting(&mut active);
    let machine = Machine::resume(active.snapshot().unwrap(), ResumeOptions::new()).unwrap();
    drop(active);
    let runner = Runner::<Straight>::new().model(Told::well());
    assert_eq!(runner.run_machine(machine).await.unwrap().state.lines.len(), 3);
}
