//! Branches in a store: cut off at every write, no call is lost and none with `effect: once` is made twice.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use cot_core::{
    FunctionError, Question, RunReport,
    model::{ModelReply, ModelRequest, ScriptedModel},
    prelude::*,
    replay::{Capture, CaptureBuffer, Replay},
    store::{Record, Store as _},
};

use super::{
    ledger::{Fate, Ledger},
    process::{Fan, FanOutcome, Note, Trip, note},
};

fn reply(request: &ModelRequest) -> ModelReply {
    let line = request.prompt().lines().next().unwrap_or("");
    ModelReply::from(note(&line.chars().take(50).collect::<String>()))
}

fn model() -> ScriptedModel {
    ScriptedModel::from_fn(reply)
}

async fn answer(_: Arc<Question>) -> Note {
    Note { text: "Rome".to_owned() }
}

async fn run(store: &Ledger) -> RunReport<Fan> {
    let runner = Fan::runner().model(model()).person(answer).store(store.clone());
    runner.run_id("fan").report(Trip::new()).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_program_dies_at_any_write_ends_like_one_that_does_not() {
    let whole = run(&Ledger::default()).await;
    assert_eq!(whole.outcome, FanOutcome::Done);
    let store = Ledger::default();
    run(&store).await;
    let appends = store.appends();
    assert!(appends > 10, "{appends}");
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        for append in 0..appends {
            let store = Ledger::default();
            store.at(append, fate);
            let other = store.clone();
            let driven = tokio::spawn(async move { run(&other).await });
            tokio::select! {
                () = store.cut() => driven.abort(),
                () = tokio::time::sleep(Duration::from_secs(100_000)) => {}
            }
            let _ = driven.await;
            store.mend();
            let again = run(&store).await;
            assert_eq!(again.outcome, whole.outcome, "{append} {fate:?}");
            assert_eq!(again.state, whole.state, "{append} {fate:?}");
            assert_eq!(again.usage.calls, whole.usage.calls, "{append} {fate:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_event_is_in_the_journal_before_the_run_acts_on_it() {
    let store = Ledger::default();
    run(&store).await;
    let records = store.records("fan").await;
    let events = records.iter().filter(|it| matches!(it, Record::Event(_))).count();
    // The plan, three times web and count, two items, left and right with its timer, two within, the person and
    // the merge.
    assert_eq!(events, 1 + 3 + 3 + 2 + 3 + 2 + 1 + 1);
    let answered = store.answered("fan").await;
    assert!(answered.contains("inner#1/second#1@1") && answered.contains("right#1@1"));
}

#[tokio::test(start_paused = true)]
async fn a_capture_of_branches_is_replayed() {
    let buffer = CaptureBuffer::default();
    let capture = Capture::new(buffer.clone());
    let runner = Fan::runner().model(model()).person(answer).capture(capture.clone());
    let whole = runner.run(Trip::new()).await.unwrap();
    capture.finish().unwrap();
    let replay = Replay::read(buffer.text().as_bytes()).unwrap();
    let replayed = Fan::runner().replay(replay).run(Trip::new()).await.unwrap();
    assert_eq!(replayed.state, whole.state);
}

#[derive(Debug, Default)]
struct Sink(Mutex<BTreeMap<String, u32>>);

async fn pay(_: &Trip, cx: &Cx<'_, Payments>) -> Result<Vec<Note>, FunctionError> {
    *cx.app().0.lock().unwrap().entry(cx.call_key()).or_default() += 1;
    tokio::task::yield_now().await;
    Ok(vec![Note { text: cx.call_key() }])
}

cot_process! {
    process Payments {
        state: Trip,
        context: Sink,

        parallel pay [
            hotel,
            flight,
            write,
        ] => done { join: settled, on: { interrupted => unknown } }

        task hotel -> Vec<Note> { run: pay, effect: once, update: left, next: done }
        task flight -> Vec<Note> { run: pay, effect: once, update: right, next: done }
        task write -> Note { full_prompt: "write", update: merged, next: done }
        task unknown { fail: "unknown" }
        task done { end }
    }
}

#[tokio::test]
async fn no_call_that_is_made_once_is_made_twice_wherever_the_program_dies() {
    let (mut interrupted, mut complete) = (0, 0);
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        for append in 0..12 {
            let (store, sink) = (Ledger::default(), Arc::new(Sink::default()));
            store.at(append, fate);
            let runner = Payments::runner(Arc::clone(&sink)).model(model());
            let runner = runner.store(store.clone()).run_id("pay");
            let run = runner.clone();
            let driven = tokio::spawn(async move { run.run(Trip::new()).await });
            tokio::select! {
                () = store.cut() => driven.abort(),
                () = tokio::time::sleep(Duration::from_millis(500)) => {}
            }
            let _ = driven.await;
            store.mend();
            let run = runner.run(Trip::new()).await.unwrap();
            let calls = sink.0.lock().unwrap().clone();
            assert!(calls.values().all(|count| *count == 1), "{append} {fate:?}: {calls:?}");
            assert_eq!(run.outcome, PaymentsOutcome::Done, "{append} {fate:?}");
            let done = run.state.left.len() + run.state.right.len();
            assert!(done <= calls.len(), "{append} {fate:?}: {calls:?}");
            interrupted += usize::from(done < 2);
            complete += usize::from(done == 2);
        }
    }
    assert!(interrupted >= 2 && complete >= 4, "{interrupted} interrupted, {complete} complete");
}

#[tokio::test]
async fn calls_that_are_made_once_are_announced_in_one_write() {
    let (store, sink) = (Ledger::default(), Sink::default());
    let runner = Payments::runner(sink).model(model()).store(store.clone()).run_id("pay");
    runner.run(Trip::new()).await.unwrap();
    let records = store.records("pay").await;
    let is_start = |record: &&Record| match record {
        Record::Event(event) => matches!(event.event, cot_core::Event::Started { .. }),
        _ => false,
    };
    assert_eq!(records.iter().filter(is_start).count(), 2);
    assert!(matches!(&records[1..3], [Record::Event(_), Record::Event(_)]), "{records:?}");
}

#[tokio::test]
async fn a_run_without_a_store_makes_them_too() {
    let sink = Arc::new(Sink::default());
    let run = Payments::runner(Arc::clone(&sink)).model(model()).run(Trip::new()).await.unwrap();
    assert_eq!(run.outcome, PaymentsOutcome::Done);
    assert_eq!(sink.0.lock().unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn late_events_of_a_race_do_not_make_a_journal_diverge() {
    use super::waiting::{Contest, ContestOutcome};
    // The replies of both branches are written together; the first one ends the race.
    for append in 1..6 {
        let store = Ledger::default();
        store.at(append, Fate::CutAfter);
        let runner = Contest::runner().model(model()).store(store.clone()).run_id("race");
        let run = runner.clone();
        let driven = tokio::spawn(async move { run.run(Trip::new()).await });
        tokio::select! {
            () = store.cut() => driven.abort(),
            () = tokio::time::sleep(Duration::from_secs(100)) => {}
        }
        let _ = driven.await;
        store.mend();
        let run = runner.run(Trip::new()).await.unwrap();
        assert_eq!(run.outcome, ContestOutcome::Done, "{append}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_fork_of_a_run_within_branches_continues_them() {
    let store = Ledger::default();
    run(&store).await;
    let id = "fan".parse().unwrap();
    let fork = cot_core::store::Fork::new(id).at(4);
    fork.create(&store, &"other".parse().unwrap(), std::time::SystemTime::now()).await.unwrap();
    let runner = Fan::runner().model(model()).person(answer).store(store.clone());
    let again = runner.resume("other").unwrap().await.unwrap();
    assert_eq!(again.outcome, FanOutcome::Done);
    assert_eq!(again.state.web.len(), 3);
    assert!(store.run(&"other".parse().unwrap()).await.unwrap().is_some());
}
