//! A store with many runs that wait for a person.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use cot_core::{
    CotOutput, Runner, cot_process,
    model::ScriptedModel,
    store::{MemoryStore, Record, RunId, Status, Store},
};
use cot_sqlite::{SqliteStore, Synchronous};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Letter {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Verdict {
    is_good: bool,
}

cot_process! {
    pub(crate) process Letters {
        state: Letter,

        task write -> Letter {
            prompt: "Write a letter.",
            update: { text = output.text },
            next: approve,
        }

        task approve -> Verdict {
            ask: "Send this?\n${state.text}",
            next: { sent if output.is_good, write },
        }

        task sent { end }
    }
}

pub(crate) fn runner() -> Runner<Letters> {
    Letters::runner().model(ScriptedModel::from_fn(|_| json!({ "text": "Dear all, ".repeat(50) })))
}

pub(crate) fn open(path: &Path) -> SqliteStore {
    SqliteStore::options().synchronous(Synchronous::Normal).open(path).expect("a store")
}

pub(crate) fn id(number: u32) -> RunId {
    format!("run-{number}").parse().expect("a name")
}

/// Fills a store with runs that wait for a person: copies of the journal of one of them.
pub(crate) async fn fill(store: &SqliteStore, count: u32) -> Duration {
    let (one, name) = (MemoryStore::default(), id(0));
    let submitted = runner().store(one.clone()).run_id(&name);
    submitted.submit(&Letter::default()).await.expect("a run");
    runner().worker(one.clone()).run_until_idle().await.expect("a worker");
    let entries = one.entries(&name, 0, 100).await.expect("a journal").into_iter();
    let records: Vec<Record> = entries.map(|entry| entry.record).collect();
    let began = Instant::now();
    let numbers: Vec<u32> = (0..count).collect();
    for numbers in numbers.chunks(500) {
        let copies = numbers.iter().map(|number| {
            let (run, records) = (id(*number), records.clone());
            async move {
                let lease = store.acquire(&run).await.expect("a lease");
                store.append(&lease, records).await.expect("a journal");
            }
        });
        join_all(copies).await;
    }
    began.elapsed()
}

/// Answers the question of a run.
pub(crate) async fn answer(store: &SqliteStore, number: u32) {
    let run = id(number);
    let summary = store.run(&run).await.expect("a summary").expect("a run");
    let Status::Asking { key, .. } = summary.status else { return };
    store.put_answer(&run, &key, json!({ "is_good": true })).await.expect("an answer");
}

/// Returns the resident memory of this program in KB; 0 where it is unknown.
pub(crate) fn memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or_default()
}
