//! Prepared records and stores.

use std::{
    path::PathBuf,
    time::{Duration, SystemTime},
};

use cot_core::{
    CallKey, Usage,
    model::BlobSet,
    store::{
        Delta, EndKind, Entry, Lease, Record, RunId, RunStarted, Status, StepRecord, StepSnapshot,
        Store,
    },
};
use cot_sqlite::{SqliteStore, Synchronous};
use serde_json::{Value, json, value::RawValue};
use tempfile::TempDir;

/// A folder with a database.
pub(crate) struct Place {
    _folder: TempDir,
    pub(crate) path: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("runs.db");
        Self { _folder: folder, path }
    }

    pub(crate) fn open(&self) -> SqliteStore {
        SqliteStore::options().synchronous(Synchronous::Normal).open(&self.path).unwrap()
    }

    /// Opens the database like any other program.
    pub(crate) fn sql(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(&self.path).unwrap()
    }

    /// The lock files beside it.
    pub(crate) fn owners(&self) -> usize {
        std::fs::read_dir(self.path.with_extension("db.owners")).map_or(0, Iterator::count)
    }
}

pub(crate) fn id(name: &str) -> RunId {
    name.parse().unwrap()
}

pub(crate) fn key(text: &str) -> CallKey {
    CallKey::try_from(text.to_owned()).unwrap()
}

pub(crate) fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)
}

pub(crate) fn begun() -> Record {
    Record::Begun(RunStarted {
        at: at(0),
        process: "Process".to_owned(),
        origin: None,
        snapshot: raw("{}"),
        blobs: BlobSet::default(),
        status: running(),
        trace: None,
    })
}

pub(crate) fn running() -> Status {
    Status::Running { task: "task".to_owned() }
}

pub(crate) fn asking(call: &str) -> Status {
    let status = json!({
        "status": "asking",
        "task": "approve",
        "key": call,
        "question": "Is it good?",
        "schema": true,
        "since": 1_700_000_000_000_u64,
    });
    serde_json::from_value(status).unwrap()
}

pub(crate) fn ended() -> Status {
    Status::Ended { task: "done".to_owned(), how: EndKind::End, why: String::new() }
}

pub(crate) fn whole(steps: u64, status: Status) -> Record {
    step(steps, status, StepSnapshot::Full(raw(&format!(r#"{{"steps":{steps}}}"#))))
}

pub(crate) fn changed(steps: u64) -> Record {
    step(steps, running(), StepSnapshot::Changed(Delta::between("{\"steps\":1}", "{\"steps\":2}")))
}

fn step(steps: u64, status: Status, progress: StepSnapshot) -> Record {
    let usage = Usage::for_call(100 * steps, 10 * steps).cost(0.25);
    Record::Step(StepRecord {
        at: at(steps),
        progress,
        blobs: BlobSet::default(),
        status,
        timers: Vec::new(),
        steps,
        usage,
        notes: Vec::new(),
    })
}

/// A reply to a prompt of a fixed and a variable text.
pub(crate) fn replied(call: &str, variable: &str, text: &str) -> Record {
    let variable = json!({ "part": "intro", "stability": "volatile", "text": variable });
    replied_to(call, &variable, text)
}

/// A reply to a prompt of a fixed and a growing text.
pub(crate) fn growing(call: &str, history: &str) -> Record {
    let history = json!({ "part": "history", "stability": "growing", "text": history });
    replied_to(call, &history, "{}")
}

fn replied_to(call: &str, variable: &Value, text: &str) -> Record {
    let record = json!({ "event": {
        "at": 1_700_000_000_000_u64,
        "asked": {
            "key": call,
            "engine": "large",
            "prompt": [
                { "part": "system", "stability": "fixed", "text": "Do what the step asks." },
                variable,
            ],
        },
        "event": { "replied": {
            "id": 1,
            "reply": {
                "text": text,
                "finish": "stop",
                "usage": { "calls": 1, "input_tokens": 100, "output_tokens": 10, "cached_tokens": 60,
                    "reasoning_tokens": 4, "cost": 0.25 },
            },
            "elapsed": { "secs": 1, "nanos": 500_000_000 },
        } },
    } });
    serde_json::from_value(record).unwrap()
}

pub(crate) fn answered(call: &str) -> Record {
    let record = json!({ "event": {
        "at": 1_700_000_000_000_u64,
        "asked": { "key": call },
        "event": { "answered": { "id": 1, "answer": true } },
    } });
    serde_json::from_value(record).unwrap()
}

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap()
}

/// Stores a run of these records. Returns its lease too.
pub(crate) async fn run_of(
    store: &SqliteStore,
    name: &str,
    records: Vec<Record>,
) -> (RunId, Lease) {
    let run = id(name);
    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, records).await.unwrap();
    (run, lease)
}

pub(crate) async fn entries(store: &SqliteStore, run: &RunId) -> Vec<Entry> {
    store.entries(run, 0, usize::MAX).await.unwrap()
}

pub(crate) fn text(record: &Record) -> String {
    serde_json::to_string(record).unwrap()
}

/// An error with its sources.
pub(crate) fn describe_panic(error: &(dyn std::error::Error + 'static)) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        words.push_str(&format!(": {error}"));
        source = error.source();
    }
    words
}
