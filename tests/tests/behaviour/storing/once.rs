//! Calls that are made once: cut off at every write, no call is made twice, and none is forgotten.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use cot_core::{
    Action, Effect, Event, EventOutcome, FunctionError, HaltReason, ResumeOptions,
    model::{ModelError, ModelErrorKind, ScriptedModel},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::ledger::{Fate, Ledger};
use crate::drive::{Note, note};

/// Counts the calls by key.
#[derive(Debug, Default)]
struct Sink {
    calls: Mutex<BTreeMap<String, u32>>,
    declines: u32,
}

impl Sink {
    fn called(&self, cx_key: String) -> u32 {
        let mut calls = self.calls.lock().unwrap();
        let count = calls.entry(cx_key).or_default();
        *count += 1;
        *count
    }

    fn calls(&self) -> Vec<(String, u32)> {
        self.calls.lock().unwrap().clone().into_iter().collect()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Bill {
    receipt: String,
    refund: String,
    is_unknown: bool,
}

async fn charge(_: &Bill, cx: &Cx<'_, Billing>) -> Result<String, FunctionError> {
    let key = cx.call_key();
    cx.app().called(key.clone());
    tokio::task::yield_now().await;
    if cx.attempt() <= cx.app().declines {
        return Err(FunctionError::not_done("declined"));
    }
    Ok(key)
}

async fn inform(_: &Bill, cx: &Cx<'_, Billing>) -> Result<(), FunctionError> {
    cx.app().called(cx.call_key());
    Ok(())
}

cot_process! {
    process Billing {
        state: Bill,
        context: Sink,

        task charge -> String {
            run: charge,
            effect: once,
            retry: { max: 2, backoff: 1ms..1ms },
            update: receipt,
            on: { interrupted => unknown },
            next: inform,
        }

        task inform { run: inform, effect: repeatable, next: done }
        task unknown { fail: "was it charged?" }
        task done { end }
    }
}

#[tokio::test]
async fn no_call_is_made_twice_wherever_the_program_dies() {
    let (mut interrupted, mut done) = (0, 0);
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        for append in 0..12 {
            let (store, sink) = (Ledger::default(), Arc::new(Sink::default()));
            store.at(append, fate);
            let runner = Billing::runner(Arc::clone(&sink)).store(store.clone()).run_id("bill");
            let run = runner.clone();
            let mut began = tokio::spawn(async move { run.report(Bill::default()).await });
            tokio::select! {
                () = store.cut() => {
                    began.abort();
                    let _ = began.await;
                }
                // The run made fewer writes.
                _ = &mut began => {}
            }
            store.mend();
            let run = runner.report(Bill::default()).await.unwrap();
            let charges: Vec<_> =
                sink.calls().into_iter().filter(|(key, _)| key.contains("charge")).collect();
            assert!(charges.iter().all(|(_, count)| *count <= 1), "{append} {fate:?}: {charges:?}");
            match run.outcome {
                BillingOutcome::Done => {
                    assert_eq!(charges, [("bill/charge#1".to_owned(), 1)]);
                    done += 1;
                }
                BillingOutcome::Unknown(_) => interrupted += 1,
                other => panic!("{append} {fate:?}: {other:?}"),
            }
        }
    }
    assert!(interrupted >= 2 && done >= 4, "{interrupted} interrupted, {done} done");
}

#[tokio::test]
async fn a_call_that_was_not_done_is_retried_with_the_same_key() {
    let sink = Arc::new(Sink { declines: 2, ..Sink::default() });
    let runner = Billing::runner(Arc::clone(&sink)).store(Ledger::default()).run_id("bill");
    let run = runner.run(Bill::default()).await.unwrap();
    assert_eq!(run.outcome, BillingOutcome::Done);
    assert_eq!(sink.calls()[0], ("bill/charge#1".to_owned(), 3));
}

#[tokio::test]
async fn a_call_without_a_store_is_made_once_too() {
    let sink = Arc::new(Sink::default());
    let run = Billing::runner(Arc::clone(&sink)).run(Bill::default()).await.unwrap();
    assert_eq!(run.outcome, BillingOutcome::Done);
    assert_eq!(sink.calls().len(), 2);
}

#[test]
fn a_driver_announces_a_call_before_it_makes_it() {
    let mut machine = Billing::machine(Sink::default());
    machine.start(Bill::default()).unwrap();
    let call = |machine: &mut cot_core::Machine<Billing>| {
        let directive = &machine.poll().directives()[0];
        let Action::RunFunction(call) = &directive.action else { panic!("{directive:?}") };
        assert_eq!(call.effect(), Effect::Once);
        (directive.id, call.is_started())
    };
    let (id, is_started) = call(&mut machine);
    assert!(!is_started);
    // A call that was not announced can't have been interrupted.
    assert_eq!(machine.handle(Event::Interrupted { id }), EventOutcome::Stale);
    assert_eq!(machine.handle(Event::Started { id }), EventOutcome::Applied);
    assert_eq!(machine.handle(Event::Started { id }), EventOutcome::Stale);
    assert_eq!(call(&mut machine), (id, true));
    // A snapshot remembers that the call was announced, and by another driver than the next one.
    let snapshot = machine.snapshot().unwrap();
    let mut again = cot_core::Machine::<Billing>::resume_with_context(
        snapshot,
        ResumeOptions::new(),
        Sink::default(),
        "",
    )
    .unwrap();
    assert_eq!(call(&mut again), (id, true));
    assert_eq!(again.handle(Event::Interrupted { id }), EventOutcome::Applied);
    let failure = again.last_failure().unwrap();
    assert_eq!(failure.reason, HaltReason::Interrupted);
    assert_eq!(failure.reason.name(), "interrupted");
}

#[tokio::test]
async fn a_resumed_machine_does_not_make_the_call_of_another() {
    let sink = Arc::new(Sink::default());
    let mut machine = Billing::machine(Arc::clone(&sink));
    machine.start(Bill::default()).unwrap();
    let id = machine.poll().directives()[0].id;
    machine.handle(Event::Started { id });
    let run = Billing::runner(Arc::clone(&sink)).run_machine(machine).report().await.unwrap();
    assert!(matches!(run.outcome, BillingOutcome::Unknown(_)), "{:?}", run.outcome);
    assert_eq!(sink.calls(), []);
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Attempted {
    /// What the function does.
    how: String,
    done: Vec<u32>,
}

async fn attempt(
    state: &Attempted,
    cx: &Cx<'_, Once>,
) -> Result<BTreeMap<(u8, u8), u32>, FunctionError> {
    cx.app().called(cx.call_key());
    match state.how.as_str() {
        "panics" => panic!("lost the connection"),
        "fails" => Err(FunctionError::not_done("declined")),
        "is cut off" => Err(FunctionError::new("connection reset")),
        // JSON has no such keys.
        "is unwritable" => Ok(BTreeMap::from([((1, 2), 3)])),
        _ => Ok(BTreeMap::new()),
    }
}

fn refuse(_: &BTreeMap<(u8, u8), u32>, state: &mut Attempted) -> Result<(), Issues> {
    match state.how.as_str() {
        "is rejected" => Err(Issues::at("$", "not this one")),
        _ => Ok(()),
    }
}

cot_process! {
    process Once {
        state: Attempted,
        context: Sink,

        task act -> BTreeMap<(u8, u8), u32> {
            run: attempt,
            effect: once,
            retry: { max: 3, backoff: 1ms..1ms },
            process_output: refuse,
            on: { interrupted => unknown, exhausted => failed },
            next: done,
        }

        task unknown { end }
        task failed { end }
        task done { end }
    }
}

#[tokio::test]
async fn only_an_error_that_says_that_nothing_was_done_is_retried() {
    let cases = [
        ("fails", 4, OnceOutcome::Failed),
        ("panics", 1, OnceOutcome::Unknown),
        ("is cut off", 1, OnceOutcome::Unknown),
        ("is unwritable", 1, OnceOutcome::Failed),
        ("is rejected", 1, OnceOutcome::Failed),
        ("succeeds", 1, OnceOutcome::Done),
    ];
    for (how, calls, outcome) in cases {
        let sink = Arc::new(Sink::default());
        let state = Attempted { how: how.to_owned(), done: Vec::new() };
        let run = Once::runner(Arc::clone(&sink)).run(state).await.unwrap();
        assert_eq!(run.outcome, outcome, "{how}");
        assert_eq!(sink.calls()[0].1, calls, "{how}");
    }
}

/// Whenever the worker is told to stop: a call that it has announced is made before it ends.
#[tokio::test(start_paused = true)]
async fn a_worker_that_stops_leaves_no_announced_call() {
    for stop in (0..40).map(|tens| Duration::from_millis(10 * tens)) {
        let (store, sink) = (Ledger::default(), Arc::new(Sink::default()));
        let runner = Billing::runner(Arc::clone(&sink));
        let stored = runner.clone().store(store.clone()).run_id("bill");
        stored.submit(&Bill::default()).await.unwrap();
        store.slow(Duration::from_millis(30));
        runner.worker(store.clone()).run_until(tokio::time::sleep(stop)).await.unwrap();
        runner.worker(store.clone()).run_until_idle().await.unwrap();
        let run = stored.run(Bill::default()).await.unwrap();
        assert_eq!(run.outcome, BillingOutcome::Done, "{stop:?}");
        assert!(sink.calls().iter().all(|(_, count)| *count == 1), "{stop:?}");
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Page {
    notes: Vec<Note>,
}

cot_process! {
    process Patient {
        state: Page,
        model: ["first", "second"],

        task write -> Note {
            prompt: "Write.",
            retry: { max: 2, backoff: 1h..2h },
            update: notes[],
            on: { unreachable => nobody },
            next: done,
        }

        task nobody { end }
        task done { end }
    }
}

fn unreachable_for(calls: usize) -> ScriptedModel {
    let asked = Mutex::new(0);
    ScriptedModel::from_fn(move |_| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        match *asked <= calls {
            true => Err(ModelError::new(ModelErrorKind::Connection, "no route to host")),
            false => Ok(cot_core::model::ModelReply::from(note("late", 1))),
        }
    })
}

#[tokio::test(start_paused = true)]
async fn models_that_cannot_be_reached_are_called_again_after_a_pause() {
    let began = tokio::time::Instant::now();
    let runner = Patient::runner().engine("first", unreachable_for(2));
    let run = runner.engine("second", unreachable_for(2)).run(Page::default()).await.unwrap();
    assert_eq!(run.outcome, PatientOutcome::Done);
    assert_eq!(run.state.notes.len(), 1);
    // Half an hour to an hour, then one to two.
    let passed = began.elapsed();
    assert!(
        passed >= Duration::from_secs(5400) && passed <= Duration::from_secs(10800),
        "{passed:?}"
    );

    let runner = Patient::runner().engine("first", unreachable_for(3));
    let run = runner.engine("second", unreachable_for(3)).run(Page::default()).await.unwrap();
    assert_eq!(run.outcome, PatientOutcome::Nobody);
}

#[tokio::test(start_paused = true)]
async fn the_pause_before_a_model_is_called_again_survives_the_program() {
    let store = Ledger::default();
    let runner = |calls| {
        let runner = Patient::runner().engine("first", unreachable_for(calls));
        runner.engine("second", unreachable_for(calls)).store(store.clone()).run_id("page")
    };
    let mut run = runner(9).start(Page::default()).unwrap();
    while let Some(event) = run.next().await {
        if let RunEvent::Waiting { .. } = event {
            break;
        }
    }
    drop(run);
    let run = runner(0).run(Page::default()).await.unwrap();
    assert_eq!(run.outcome, PatientOutcome::Done);
    assert_eq!(json!(run.state.notes), json!([note("late", 1)]));
}
