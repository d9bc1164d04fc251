//! Branches in a runner: calls at once, questions one at a time, pausing, steps, cancellation.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    FunctionError, RunEvent,
    model::{ModelReply, ModelRequest, ScriptedModel},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use super::process::{Note, Trip, note};

const CALL: Duration = Duration::from_millis(50);

async fn slow(_: &Trip, cx: &Cx<'_, Three>) -> Result<Vec<Note>, FunctionError> {
    cx.app().fetch_add(1, Ordering::SeqCst);
    sleep(CALL).await;
    Ok(vec![Note { text: cx.call_key() }])
}

cot_process! {
    process Three {
        state: Trip,
        context: AtomicUsize,
        parallel all [one, two, three] => done
        task one -> Vec<Note> { run: slow, update: left, next: done }
        task two -> Vec<Note> { run: slow, update: right, next: done }
        task three -> Vec<Note> { run: slow, update: web, next: done }
        task done { end }
    }
}

#[tokio::test(start_paused = true)]
async fn three_branches_of_50_ms_take_50_ms() {
    let (began, calls) = (Instant::now(), Arc::new(AtomicUsize::new(0)));
    let run = Three::runner(Arc::clone(&calls)).run(Trip::default()).await.unwrap();
    assert_eq!(run.outcome, ThreeOutcome::Done);
    assert_eq!((began.elapsed(), calls.load(Ordering::SeqCst)), (CALL, 3));
    assert_eq!(run.state.web[0].text.split('/').next_back(), Some("three#1"));
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Desk {
    pub(super) first: Note,
    pub(super) second: Note,
    pub(super) notes: Vec<Note>,
}

cot_process! {
    /// Asks two people, makes calls and waits at once.
    pub(super) process Office {
        state: Desk,
        parallel work [ask_first, ask_second, write] => done
        task ask_first -> Note { ask: "First?", update: first, next: done }
        task ask_second -> Note { ask: "Second?", update: second, next: done }

        task write -> Note {
            full_prompt: "write ${state.notes.len()}",
            update: notes[],
            next: { write if state.notes.len() < 3, done },
        }

        task done { end }
    }
}

pub(super) fn writer() -> ScriptedModel {
    ScriptedModel::from_fn(|_: &ModelRequest| ModelReply::from(note("n")))
}

#[tokio::test]
async fn a_run_asks_one_question_at_a_time_while_other_branches_continue() {
    let mut run = Office::runner().model(writer()).start(Desk::default()).unwrap();
    let handle = run.handle();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let driven = tokio::spawn(async move {
        while let Some(event) = run.next().await {
            log.lock().unwrap().push(event.to_string());
        }
        run.await
    });
    // The branch that needs nobody comes to its end although nobody answers.
    while !seen.lock().unwrap().iter().any(|line| line.contains("branch write joined")) {
        tokio::task::yield_now().await;
    }
    handle.answer(&note("one")).await.unwrap();
    handle.answer(&note("two")).await.unwrap();
    let run = driven.await.unwrap().unwrap();
    assert_eq!((&*run.state.first.text, &*run.state.second.text), ("one", "two"));
    assert_eq!(run.state.notes.len(), 3);
}

#[tokio::test]
async fn answers_in_advance_go_to_the_questions_in_their_order() {
    let run = Office::runner().model(writer()).start(Desk::default()).unwrap();
    let handle = run.handle();
    let driven = tokio::spawn(run.finish());
    tokio::task::yield_now().await;
    let (one, two) = tokio::join!(handle.answer(&note("one")), handle.answer(&note("two")));
    one.unwrap();
    two.unwrap();
    let run = driven.await.unwrap().unwrap();
    assert_eq!((&*run.state.first.text, &*run.state.second.text), ("one", "two"));
}

#[tokio::test]
async fn a_responder_answers_all_questions() {
    let runner = Office::runner().model(writer());
    let runner = runner.person(|question| {
        let text = question.text.clone();
        async move { Note { text } }
    });
    let run = runner.run(Desk::default()).await.unwrap();
    assert_eq!((&*run.state.first.text, &*run.state.second.text), ("First?", "Second?"));
}

#[tokio::test]
async fn a_run_pauses_once_its_branches_have_joined() {
    let mut run = Three::runner(AtomicUsize::new(0)).start(Trip::default()).unwrap();
    let handle = run.handle();
    let mut seen = Vec::new();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::TaskStarted { task: ThreeTask::Two, .. }) {
            handle.pause();
        }
        if matches!(event, RunEvent::Paused) {
            assert!(!seen.is_empty());
            assert_eq!(run.machine().state().unwrap().left.len(), 1);
            handle.resume();
        }
        seen.push(event.to_string());
    }
    assert!(seen.contains(&"run paused".to_owned()), "{seen:?}");
    run.await.unwrap();
}

#[tokio::test]
async fn a_cancelled_run_drops_the_calls_of_all_branches() {
    let calls = Arc::new(AtomicUsize::new(0));
    let run = Three::runner(Arc::clone(&calls)).start(Trip::default()).unwrap();
    let handle = run.handle();
    let driven = tokio::spawn(run.finish().report());
    while calls.load(Ordering::SeqCst) < 3 {
        tokio::task::yield_now().await;
    }
    handle.cancel("enough");
    let run = driven.await.unwrap().unwrap();
    assert!(matches!(run.outcome, ThreeOutcome::Halted(_)), "{:?}", run.outcome);
    assert!(run.state.left.is_empty());
}

/// Counts the calls that were dropped before their end.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

async fn endless(_: &Trip, cx: &Cx<'_, Race>) -> Result<Vec<Note>, FunctionError> {
    let _guard = Dropped(Arc::clone(cx.app()));
    std::future::pending().await
}

async fn quick(_: &Trip) -> Result<Vec<Note>, FunctionError> {
    tokio::task::yield_now().await;
    Ok(Vec::new())
}

cot_process! {
    process Race {
        state: Trip,
        context: Arc<AtomicUsize>,
        parallel race [slow, fast] => after { join: any }
        task slow -> Vec<Note> { run: endless, update: left, next: after }
        task fast -> Vec<Note> { run: quick, update: right, next: more }
        task more -> Vec<Note> { run: quick, update: right, next: after }
        task after -> Vec<Note> { run: quick, update: web, next: done }
        task done { end }
    }
}

#[tokio::test]
async fn the_calls_of_the_branches_that_lost_are_dropped() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let run = Race::runner(Arc::clone(&dropped)).run(Trip::default()).await.unwrap();
    assert_eq!(run.outcome, RaceOutcome::Done);
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn hooks_see_each_commit_of_each_branch() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let runner = Three::runner(AtomicUsize::new(0));
    let runner = runner.after_commit(move |commit| log.lock().unwrap().push(commit.task));
    runner.run(Trip::default()).await.unwrap();
    let mut seen = seen.lock().unwrap().clone();
    seen.sort();
    assert_eq!(seen, [ThreeTask::One, ThreeTask::Two, ThreeTask::Three]);
}
