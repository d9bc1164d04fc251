//! Runs that are cancelled through their store, wherever they are.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use cot_core::{
    HaltReason, Runner,
    model::{BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest},
    prelude::*,
    store::{CancelRequest, MemoryStore, RunId, RunSummary, SetAside, Status, Store, StoreError},
};
use serde::{Deserialize, Serialize};
use tokio::{sync::Notify, time::timeout};

use crate::{
    drive::{Note, note},
    running::Asked,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Desk {
    notes: Vec<Note>,
}

cot_process! {
    /// Writes, asks, sleeps and writes again.
    pub(crate) process Letter {
        state: Desk,
        task write -> Note { prompt: "Write.", update: { notes[] = output }, next: ask }
        task ask -> Note { ask: "Send it?", update: { notes[] = output }, next: send }
        task send -> Note { wait: 1h, prompt: "Send.", update: { notes[] = output }, next: done }
        task done { end }
    }
}

cot_process! {
    /// Writes for ever, with a model that replies at once.
    pub(crate) process Endless {
        state: Desk,
        max_steps: 1000000,

        task write -> Note {
            prompt: "Write.",
            update: { notes = vec![output] },
            next: { done if state.notes.is_empty(), write },
        }

        task done { end }
    }
}

/// A model that never replies, and knows whether its call was dropped.
#[derive(Clone, Default)]
struct Stuck {
    is_called: Arc<Notify>,
    is_dropped: Arc<AtomicBool>,
}

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl LanguageModel for Stuck {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async {
            let _guard = SetOnDrop(Arc::clone(&self.is_dropped));
            self.is_called.notify_one();
            std::future::pending().await
        })
    }
}

fn id(run: &str) -> RunId {
    run.parse().unwrap()
}

fn letters(model: impl LanguageModel + 'static, store: &MemoryStore) -> Runner<Letter> {
    Letter::runner().model(model).store(store.clone())
}

fn always() -> Asked {
    Asked::always(note("a", 1))
}

async fn request(store: &MemoryStore, run: &str, reason: &str) -> Result<(), StoreError> {
    store.request_cancel(&id(run), CancelRequest::new(reason, SystemTime::now())).await
}

async fn summary(store: &MemoryStore, run: &str) -> RunSummary {
    store.run(&id(run)).await.unwrap().unwrap()
}

/// Asserts that the run has ended for this reason, and shows no request any more.
async fn assert_cancelled(store: &MemoryStore, run: &str, reason: &str) {
    let summary = summary(store, run).await;
    let Status::Ended { why, .. } = &summary.status else { panic!("{summary}") };
    assert_eq!((summary.status.word(), summary.cancel_requested.as_ref()), ("halted", None));
    assert!(why.contains(reason), "{why}");
}

async fn work(store: &MemoryStore) {
    let worker = Letter::runner().model(always()).worker(store.clone());
    timeout(Duration::from_secs(60), worker.run_until_idle()).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_call_in_flight_is_dropped_at_once() {
    let (store, model) = (MemoryStore::default(), Stuck::default());
    let running = letters(model.clone(), &store).run_id("letter").report(Desk::default());
    let running = tokio::spawn(running);
    model.is_called.notified().await;
    request(&store, "letter", "ordered twice").await.unwrap();
    let report = timeout(Duration::from_secs(10), running).await.unwrap().unwrap().unwrap();
    let LetterOutcome::Halted(halt) = report.outcome else { panic!("{:?}", report.outcome) };
    assert!(matches!(&halt.reason, HaltReason::Cancelled(why) if why == "ordered twice"));
    assert!(model.is_dropped.load(Ordering::SeqCst));
    assert_cancelled(&store, "letter", "ordered twice").await;
}

/// No call is ever pending, so the request is found between the steps.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_cancelled_between_its_steps() {
    let store = MemoryStore::default();
    let runner = Endless::runner().model(always()).store(store.clone()).run_id("endless");
    let running = tokio::spawn(runner.report(Desk::default()));
    while store.run(&id("endless")).await.unwrap().is_none_or(|run| run.steps < 3) {
        tokio::task::yield_now().await;
    }
    request(&store, "endless", "enough").await.unwrap();
    timeout(Duration::from_secs(20), running).await.unwrap().unwrap().unwrap();
    assert_cancelled(&store, "endless", "enough").await;
}

#[tokio::test]
async fn a_worker_cancels_runs_that_wait() {
    let store = MemoryStore::default();
    for run in ["asks", "sleeps", "aside"] {
        letters(always(), &store).run_id(run).submit(&Desk::default()).await.unwrap();
    }
    work(&store).await;
    let Status::Asking { key, .. } = summary(&store, "sleeps").await.status else { panic!() };
    store.put_answer(&id("sleeps"), &key, note("yes", 1)).await.unwrap();
    work(&store).await;
    letters(always(), &store).run_id("queued").submit(&Desk::default()).await.unwrap();
    let lease = store.acquire(&id("aside")).await.unwrap();
    store.set_aside(&lease, SetAside::new("it crashed", SystemTime::now())).await.unwrap();
    drop(lease);
    for (run, word) in
        [("queued", "queued"), ("asks", "asking"), ("sleeps", "sleeping"), ("aside", "asking")]
    {
        assert_eq!(summary(&store, run).await.status.word(), word);
        request(&store, run, run).await.unwrap();
        assert!(summary(&store, run).await.cancel_requested.is_some());
    }
    work(&store).await;
    for run in ["queued", "asks", "sleeps", "aside"] {
        assert_cancelled(&store, run, run).await;
    }
    assert_eq!(summary(&store, "queued").await.usage.calls, 0, "nothing was done before");
}

#[tokio::test]
async fn the_driver_of_a_question_applies_a_request() {
    let store = MemoryStore::default();
    let running = letters(always(), &store).run_id("letter").report(Desk::default());
    let running = tokio::spawn(running);
    let is_asking = async || {
        let run = store.run(&id("letter")).await.unwrap();
        run.is_some_and(|run| run.status.word() == "asking")
    };
    while !is_asking().await {
        tokio::task::yield_now().await;
    }
    request(&store, "letter", "first").await.unwrap();
    request(&store, "letter", "second").await.unwrap();
    timeout(Duration::from_secs(10), running).await.unwrap().unwrap().unwrap();
    assert_cancelled(&store, "letter", "first").await;
    let refused = request(&store, "letter", "third").await;
    assert!(matches!(refused, Err(StoreError::HasEnded { .. })), "{refused:?}");
    // It is read as it ended.
    let report =
        letters(always(), &store).resume("letter").unwrap().finish().report().await.unwrap();
    assert!(matches!(report.outcome, LetterOutcome::Halted(_)));
}

/// The program dies after the request was made, and before it was applied.
#[tokio::test]
async fn the_next_driver_applies_a_request_before_anything_else() {
    let (store, model) = (MemoryStore::default(), Stuck::default());
    let running = letters(model.clone(), &store).run_id("letter").report(Desk::default());
    let running = tokio::spawn(running);
    model.is_called.notified().await;
    running.abort();
    let _ = running.await;
    request(&store, "letter", "too late").await.unwrap();
    let unused = always();
    letters(unused.clone(), &store).resume("letter").unwrap().finish().report().await.unwrap();
    assert_eq!(unused.calls.all(), 0);
    assert_cancelled(&store, "letter", "too late").await;
}
