//! How long pages take over a SQLite file with 100,000 runs: `cargo bench -p cot-web --bench pages`. Ends with an error if
//! a page takes 100 ms or more, or the table's first page has 50 KB or more.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints and fails like a test"
)]

use std::{
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::Request,
};
use cot_core::{
    CotOutput, cot_process,
    model::{ModelReply, ScriptedModel},
    store::{Record, RunId, RunStarted, Store},
};
use cot_sqlite::{SqliteStore, Synchronous};
use cot_web::{Access, Site};
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower::ServiceExt;

const RUNS: u64 = 100_000;
const SAMPLES: usize = 9;
const LIMIT: Duration = Duration::from_millis(100);
const MAX_BYTES: usize = 50_000;

const PAGES: [&str; 17] = [
    "/",
    "/?page=2000",
    "/?sort=costly",
    "/?sort=recent&status=failed",
    "/?sort=name",
    "/?q=99999",
    "/?q=nothing-like-this",
    "/?process=Orders&age=7d",
    "/?task=approve&status=asking",
    "/?cost=0.5&sort=long",
    "/runs/order-00500",
    "/people",
    "/people/order-00000",
    "/runs/letter",
    "/runs/letter/fork",
    "/costs",
    "/start",
];

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Letter {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Text {
    text: String,
}

cot_process! {
    process Letters {
        state: Letter,
        goal: "A letter",
        task write -> Text { prompt: "Write.", update: { text = output.text }, next: sent }
        task sent { end }
    }
}

/// The start of a run, with its status.
fn run(number: u64) -> (RunId, Record) {
    let at = 1_795_000_000_000_u64 + number * 1_000;
    let status = match number % 10 {
        0 if number < 1_000 => json!({
            "status": "asking", "task": "approve", "key": "approve#1@1", "since": at,
            "question": format!("Send order {number} to the customer?"), "schema": { "type": "boolean" },
        }),
        1 => {
            json!({ "status": "ended", "task": "ship", "how": "fail", "why": "the address is unknown" })
        }
        2 => json!({ "status": "running", "task": "write" }),
        _ => json!({ "status": "ended", "task": "done", "how": "end" }),
    };
    let process = ["Orders", "Letters", "Reports"][usize::try_from(number % 3).unwrap()];
    let started = json!({ "at": at, "process": process, "snapshot": {}, "status": status });
    let started: RunStarted = serde_json::from_str(&started.to_string()).unwrap();
    (format!("order-{number:05}").parse().unwrap(), Record::Begun(started))
}

async fn fill(store: &SqliteStore) {
    let add = async |number| {
        let (id, record) = run(number);
        let lease = store.acquire(&id).await.unwrap();
        store.append(&lease, vec![record]).await.unwrap();
    };
    stream::iter(0..RUNS).for_each_concurrent(500, add).await;
}

/// Gets a page. Returns its status, its length and the time that it took.
async fn get(router: &Router, path: &str) -> (u16, usize, Duration) {
    let since = Instant::now();
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, body.len(), since.elapsed())
}

#[tokio::main]
async fn main() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteStore::options().synchronous(Synchronous::Normal);
    let store = options.open(folder.path().join("runs.db")).unwrap();
    fill(&store).await;
    let model = ScriptedModel::new([ModelReply::new(r#"{"text":"Dear Ann"}"#)]);
    let runner = Letters::runner().model(model).store(store.clone()).run_id("letter");
    runner.run(Letter::default()).await.unwrap();
    let router = Site::new(Arc::new(store)).access(Access::open()).router();
    let mut is_good = true;
    for path in PAGES {
        let mut times = Vec::new();
        let (mut status, mut length) = (0, 0);
        for _ in 0..SAMPLES {
            let took;
            (status, length, took) = get(&router, path).await;
            times.push(took);
        }
        let first = times[0];
        times.sort_unstable();
        let median = times[SAMPLES / 2];
        println!(
            "{path:<32} {status} {length:>7} bytes  first {first:>9.2?}  median {median:>9.2?}"
        );
        is_good &= status == 200 && median < LIMIT && (path != "/" || length < MAX_BYTES);
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
