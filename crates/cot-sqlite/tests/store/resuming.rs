//! A program restarts and resumes thousands of runs of another one.

use std::{
    collections::BTreeSet,
    fs::File,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use cot_core::{
    LanguageModel, WorkerEvent,
    model::{BoxFuture, ModelError, ModelReply, ModelRequest, ScriptedModel},
    prelude::*,
    store::{Record, RunFilter, Store},
};
use cot_sqlite::SqliteStore;
use futures_util::{FutureExt, future::join_all};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

use crate::kit::{Place, id, run_of};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Letter {
    lines: Vec<String>,
    held: Held,
}

cot_process! {
    process Letters {
        state: Letter,

        task write -> Line {
            prompt: "Line ${state.lines.len()}",
            update: { lines[] = output.text },
            next: { write if state.lines.len() < 2, done },
        }

        task done { end }
    }
}

/// A part of a state. Counts its instances, and so at least the states in memory.
#[derive(Debug)]
struct Held(());

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

impl Default for Held {
    fn default() -> Self {
        MOST.fetch_max(NOW.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        Self(())
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        NOW.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <()>::deserialize(deserializer).map(|()| Self::default())
    }
}

/// A model that replies once.
struct Once(ScriptedModel);

impl LanguageModel for Once {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        if request.prompt().contains("Line 0") {
            self.0.reply(request)
        } else {
            Box::pin(std::future::pending())
        }
    }
}

const RUNS: usize = 3000;
const AT_ONCE: usize = 100;

/// The journal of a run whose program died after its first reply.
async fn begun_letter(store: &SqliteStore) -> Vec<Record> {
    let model = Once(ScriptedModel::new([json!({ "text": "Dear all" })]));
    let run = Letters::runner().model(model).store(store.clone()).run_id("first");
    let mut run = Box::pin(run.run(Letter::default()));
    while store.run(&id("first")).await.unwrap().is_none_or(|run| run.usage.calls == 0) {
        assert!(run.as_mut().now_or_never().is_none());
        tokio::task::yield_now().await;
    }
    drop(run);
    let entries = store.entries(&id("first"), 0, usize::MAX).await.unwrap();
    entries.into_iter().map(|entry| entry.record).collect()
}

/// Thousands of such runs, whose owners are dead.
async fn leave_behind(place: &Place) {
    let store = place.open();
    let records = begun_letter(&store).await;
    store.remove(&id("first")).await.unwrap();
    let leave = async |number: usize| {
        drop(run_of(&store, &format!("run-{number}"), records.clone()).await);
    };
    join_all((0..RUNS).map(leave)).await;
    drop(store);
    let sql = place.sql();
    let taken = "INSERT INTO leases (run, owner, since) SELECT run, '1-dead', 0 FROM runs";
    assert_eq!(sql.execute(taken, []).unwrap(), RUNS);
    File::create(place.path.with_extension("db.owners").join("1-dead.lock")).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_runs_go_on_a_hundred_at_once() {
    let place = Place::new();
    leave_behind(&place).await;
    let store = place.open();
    let asked = Arc::<AtomicUsize>::default();
    let model = ScriptedModel::from_fn({
        let asked = Arc::clone(&asked);
        move |_| {
            asked.fetch_add(1, Ordering::SeqCst);
            json!({ "text": "and so on" })
        }
    });
    assert_eq!(NOW.load(Ordering::SeqCst), 0);
    MOST.store(0, Ordering::SeqCst);

    let runner = Letters::runner().model(model).store(store.clone());
    let ended = Arc::new(Mutex::new(BTreeSet::new()));
    let names = Arc::clone(&ended);
    let worker = runner.worker(store.clone()).max_runs(AT_ONCE).observe(move |event| match event {
        WorkerEvent::Claimed { crashes: 0, .. } => {}
        WorkerEvent::Ended { run, .. } => _ = names.lock().unwrap().insert(run.to_string()),
        other => panic!("{other}"),
    });
    worker.run_until_idle().await.unwrap();
    let names = ended.lock().unwrap().clone();
    assert_eq!(names.len(), RUNS);
    assert_eq!(asked.load(Ordering::SeqCst), RUNS, "what was paid for is there");
    // Each run has one state, and a working copy during a commit.
    let most = MOST.load(Ordering::SeqCst);
    assert!(most <= 3 * AT_ONCE, "{most} states in memory at once");

    let mut left = RunFilter::default();
    left.is_ended = Some(false);
    assert!(store.runs(&left).await.unwrap().is_empty());
    let lines = async |run: &String| runner.resume(run).unwrap().await.unwrap().state.lines;
    assert_eq!(lines(names.first().unwrap()).await, ["Dear all", "and so on"]);
    assert_eq!(lines(names.last().unwrap()).await, ["Dear all", "and so on"]);
}
