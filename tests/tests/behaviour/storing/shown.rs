//! What programs without the types of a process see of its runs: its manifest, replies that are being received, and
//! what the runs have spent.

use std::{sync::Arc, time::SystemTime};

use cot_core::{
    Description, Runner, Usage,
    model::{
        BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest, ScriptedModel,
    },
    prelude::*,
    store::{
        Draft, Fork, MemoryStore, ProcessDescription, RunHistory, RunId, SpendingFilter, Store,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::Notify;

use crate::drive::Note;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Desk {
    names: Vec<String>,
    notes: Vec<Note>,
}

cot_process! {
    /// Writes one note.
    pub(crate) process Writer {
        state: Desk,
        task write -> Note { prompt: "Write.", update: { notes[] = output }, next: done }
        task done { end }
    }
}

cot_process! {
    /// Writes notes in every way.
    pub(crate) process Office {
        state: Desk,

        task write -> Note {
            prompt: "Write.",
            max_retries: 3,
            update: { notes[] = output },
            next: all,
        }

        task all -> Note {
            for_each: name in state.names,
            max_concurrency: 1,
            prompt: "Write to ${name}.",
            max_retries: 3,
            update: { notes = output },
            next: inner,
        }

        task inner {
            process: Writer with Desk::default(),
            update: { notes[] = output.notes[0].clone() },
            next: last,
        }

        task last -> Note { prompt: "Last.", update: { notes[] = output }, next: done }
        task done { end }
    }
}

fn id(run: &str) -> RunId {
    run.parse().unwrap()
}

/// A reply that costs something.
fn paid(text: &str) -> ModelReply {
    ModelReply::new(text).usage(Usage::for_call(100, 10).cost(0.25))
}

const GOOD: &str = r#"{"text":"a","rank":1}"#;

#[tokio::test]
async fn a_runner_stores_the_manifest_of_its_process_once_for_each_version() {
    let store = MemoryStore::default();
    let runner = Writer::runner().model(ScriptedModel::from_fn(|_| GOOD)).store(store.clone());
    runner.clone().run(Desk::default()).await.unwrap();
    let description = Description::new::<Writer>();
    let stored = store.process("Writer").await.unwrap().unwrap();
    assert_eq!(stored.version, description.version());
    assert_eq!(stored.manifest, description.manifest());

    // The same runner writes nothing more, and another one only what has changed.
    let other = ProcessDescription::new("Writer", "another version", json!({}));
    store.put_process(&other).await.unwrap();
    runner.clone().run(Desk::default()).await.unwrap();
    assert_eq!(store.process("Writer").await.unwrap(), Some(other));
    let worker = Writer::runner().model(ScriptedModel::from_fn(|_| GOOD)).worker(store.clone());
    runner.submit(&Desk::default()).await.unwrap();
    worker.run_until_idle().await.unwrap();
    assert_eq!(store.process("Writer").await.unwrap(), Some(stored));
    assert_eq!(store.processes().await.unwrap().len(), 1);
}

/// A model that sends the beginning of a reply, and the rest when it may.
#[derive(Clone, Default)]
struct Slow {
    has_begun: Arc<Notify>,
    may_end: Arc<Notify>,
}

impl LanguageModel for Slow {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Ok(GOOD.into()) })
    }

    fn stream<'a>(
        &'a self,
        _: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async {
            sink.push("void");
            sink.restart();
            sink.push_thought("Hm.");
            sink.push(&GOOD[..8]);
            self.has_begun.notify_one();
            self.may_end.notified().await;
            Ok(GOOD.into())
        })
    }
}

async fn drafts_while_running(runner: Runner<Writer>, model: &Slow) -> (Vec<Draft>, Vec<Draft>) {
    let store = MemoryStore::default();
    let running = runner.model(model.clone()).store(store.clone()).run_id("run");
    let running = tokio::spawn(running.run(Desk::default()));
    model.has_begun.notified().await;
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    let before = store.drafts(&id("run")).await.unwrap();
    model.may_end.notify_one();
    running.await.unwrap().unwrap();
    (before, store.drafts(&id("run")).await.unwrap())
}

#[tokio::test]
async fn the_beginning_of_a_reply_is_shown_until_the_reply_is_stored() {
    let model = Slow::default();
    let (before, after) = drafts_while_running(Writer::runner().drafts(true), &model).await;
    let [draft] = &before[..] else { panic!("{before:?}") };
    assert_eq!((&*draft.text, &*draft.thought), (&GOOD[..8], "Hm."));
    assert_eq!(draft.key.to_string(), "write#1@1");
    assert_eq!(after, []);
}

#[tokio::test]
async fn a_run_that_is_dropped_leaves_no_draft() {
    let (store, model) = (MemoryStore::default(), Slow::default());
    let runner = Writer::runner().model(model.clone()).store(store.clone()).drafts(true);
    let running = tokio::spawn(runner.run_id("run").run(Desk::default()));
    model.has_begun.notified().await;
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    assert_eq!(store.drafts(&id("run")).await.unwrap().len(), 1);
    running.abort();
    let _ = running.await;
    assert_eq!(store.drafts(&id("run")).await.unwrap(), []);
}

/// The usage of all runs, by their histories.
async fn told(store: &MemoryStore, runs: &[&str]) -> Usage {
    let mut usage = Usage::default();
    for run in runs {
        let history = RunHistory::load(store, &id(run)).await.unwrap().unwrap();
        usage += history.steps.iter().map(|step| step.usage()).fold(Usage::default(), |a, b| a + b);
    }
    usage
}

/// The usage of all rows, and the numbers of attempts, failed attempts and repairs.
async fn spent(store: &MemoryStore) -> (Usage, [u64; 3]) {
    let rows = store.spending(&SpendingFilter::default()).await.unwrap();
    rows.iter().fold((Usage::default(), [0; 3]), |(usage, [all, failed, repairs]), row| {
        let counts = [all + row.attempts, failed + row.failed_attempts, repairs + row.repairs];
        (usage + row.usage, counts)
    })
}

#[tokio::test]
async fn what_runs_spend_is_what_their_histories_tell() {
    let store = MemoryStore::default();
    let office = |replies: Vec<&str>| {
        let model = ScriptedModel::new(replies.into_iter().map(paid).collect::<Vec<_>>());
        Office::runner().model(model).store(store.clone())
    };
    // One failed attempt and one repaired reply; two items, of which one is asked twice; a sub-process.
    let replies = vec!["no", "{text: 'a', rank: 1}", GOOD, "no", GOOD, GOOD, GOOD];
    let desk = Desk { names: vec!["Ann".to_owned(), "Ben".to_owned()], notes: Vec::new() };
    office(replies).run_id("first").run(desk).await.unwrap();
    let (usage, [attempts, failed, repairs]) = spent(&store).await;
    assert_eq!(usage, told(&store, &["first"]).await);
    assert_eq!((usage.calls, usage.cost), (7, 1.75));
    assert_eq!((attempts, failed), (7, 2));
    assert!(repairs >= 1, "{repairs}");
    let rows = store.spending(&SpendingFilter::default()).await.unwrap();
    let calls = |task: &str| -> u64 {
        rows.iter().filter(|row| row.task == task).map(|row| row.usage.calls).sum()
    };
    assert_eq!(
        ["write", "all", "inner/write", "last"].map(calls),
        [2, 3, 1, 1],
        "by task, in the order of the process"
    );
    assert!(rows.iter().all(|row| row.process == "Office"));

    // A fork spends only what it does itself.
    let fork = Fork::new(id("first")).at(3);
    fork.create(&store, &id("fork"), SystemTime::now()).await.unwrap();
    office(vec![GOOD, GOOD]).resume("fork").unwrap().await.unwrap();
    let (after, _) = spent(&store).await;
    assert_eq!(after, told(&store, &["first", "fork"]).await);
    assert!(after.calls > usage.calls && after.calls <= usage.calls + 2, "{after:?}");
    // An ended run that is resumed spends nothing.
    office(vec![]).resume("first").unwrap().await.unwrap();
    assert_eq!(spent(&store).await.0, after);
}
