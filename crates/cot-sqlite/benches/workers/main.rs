//! What waiting runs cost a worker: the time of an answer among 100 and among 100,000 waiting runs, the start of a
//! worker with as many, its memory, and the time until the runs of a killed program continue.
//!
//! `cargo bench -p cot-sqlite --bench workers`
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

mod crowd;
mod takeover;

use std::{
    env,
    path::Path,
    sync::{Mutex, mpsc},
    time::{Duration, Instant},
};

use cot_core::{
    WorkerEvent,
    store::{Status, Store},
};
use cot_sqlite::SqliteStore;
use serde_json::json;
use tempfile::TempDir;
use tokio::{runtime::Runtime, sync::oneshot, task::JoinSet};

use self::crowd::{answer, fill, id, memory, open, runner};

/// The numbers of waiting runs.
const CROWDS: [u32; 2] = [100, 100_000];

/// The number of answers whose time is measured.
const ANSWERS: usize = 50;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let runtime = Runtime::new().expect("a runtime");
    if let [command, database] = arguments.as_slice()
        && command == "hang"
    {
        return runtime.block_on(takeover::hang(Path::new(database)));
    }
    println!("{:<52} {:>12} {:>12}", "waiting runs", CROWDS[0], CROWDS[1]);
    let crowds = CROWDS.map(|count| {
        let folder = TempDir::new().expect("a folder");
        let store = open(&folder.path().join("runs.db"));
        let time = runtime.block_on(fill(&store, count));
        (folder, store, count, time)
    });
    report("filling the store, in s", crowds.each_ref().map(|(.., time)| time.as_secs_f64()));
    let each = |measure: &dyn Fn(&SqliteStore, u32, &Path) -> f64| {
        crowds
            .each_ref()
            .map(|(folder, store, count, _)| measure(store, *count, &folder.path().join("runs.db")))
    };
    report("an answer is stored, in µs", each(&|store, _, _| runtime.block_on(answers(store))));
    let starts = crowds.each_ref().map(|(_, store, ..)| runtime.block_on(start(store)));
    report("a worker starts and claims a due run, in ms", starts.map(|(time, _)| time));
    report("memory that it takes in a second, in KB", starts.map(|(_, memory)| memory));
    report(
        "an answered run ends in a worker, in ms",
        each(&|store, _, _| runtime.block_on(ends(store))),
    );
    report(
        "an answer reaches one of so many drivers, in µs",
        each(&|store, count, _| runtime.block_on(waiters(store, count))),
    );
    report(
        "a run continues after SIGKILL of its program, in ms",
        each(&|store, _, path| runtime.block_on(takeover::takeover(store, path))),
    );
}

fn report(what: &str, [few, many]: [f64; 2]) {
    println!("{what:<52} {few:>12.1} {many:>12.1}");
}

/// Returns the median of times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Returns the time in which an answer is stored, in µs.
async fn answers(store: &SqliteStore) -> f64 {
    let mut times = Vec::new();
    let run = id(0);
    for _ in 0..ANSWERS {
        let summary = store.run(&run).await.expect("a summary").expect("a run");
        let Status::Asking { key, .. } = summary.status else { break };
        let began = Instant::now();
        store.put_answer(&run, &key, json!({ "is_good": true })).await.expect("an answer");
        times.push(began.elapsed());
    }
    median(times).as_secs_f64() * 1e6
}

/// Returns the time until a new worker has claimed a due run, in ms, and the memory that it takes in a second, in
/// KB.
async fn start(store: &SqliteStore) -> (f64, f64) {
    let before = memory();
    let (stop, stopped) = oneshot::channel::<()>();
    let (claimed, claims) = oneshot::channel();
    let claimed = Mutex::new(Some(claimed));
    let worker = runner().worker(store.clone()).observe(move |event| {
        if let WorkerEvent::Claimed { .. } = event
            && let Some(claimed) = claimed.lock().expect("no panic").take()
        {
            claimed.send(Instant::now()).expect("the benchmark waits");
        }
    });
    let began = Instant::now();
    let worker = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
    let claimed = claims.await.expect("a claim");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let taken = memory() - before;
    drop(stop);
    worker.await.expect("a task").expect("a worker");
    ((claimed - began).as_secs_f64() * 1e3, taken)
}

/// Returns the time from an answer to the end of its run in a worker of the default poll interval, in ms.
async fn ends(store: &SqliteStore) -> f64 {
    let (stop, stopped) = oneshot::channel::<()>();
    let (ended, ends) = mpsc::channel();
    let worker = runner().worker(store.clone()).observe(move |event| {
        if let WorkerEvent::Ended { .. } = event {
            ended.send(Instant::now()).expect("the benchmark waits");
        }
    });
    let worker = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut times = Vec::new();
    for number in 1..=9 {
        let began = Instant::now();
        answer(store, number).await;
        times.push(next(&ends).await - began);
    }
    drop(stop);
    worker.await.expect("a task").expect("a worker");
    median(times).as_secs_f64() * 1e3
}

/// Waits for the next time that an observer reports.
async fn next(times: &mpsc::Receiver<Instant>) -> Instant {
    loop {
        match times.try_recv() {
            Ok(time) => return time,
            Err(_) => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    }
}

/// Returns the time until an answer reaches its driver while so many others wait in the same program, without a
/// worker, in µs.
async fn waiters(store: &SqliteStore, count: u32) -> f64 {
    let summary = store.run(&id(30)).await.expect("a summary").expect("a run");
    let Status::Asking { key, .. } = summary.status else { return f64::NAN };
    let mut waiting = JoinSet::new();
    for number in 40..count {
        let (store, key) = (store.clone(), key.clone());
        waiting.spawn(async move { store.wait_for_answer(&id(number), &key).await.is_ok() });
    }
    // All of them wait when an answer that is there already is returned to one that came later.
    store.put_answer(&id(39), &key, json!({ "is_good": true })).await.expect("an answer");
    store.wait_for_answer(&id(39), &key).await.expect("an answer");
    let mut times = Vec::new();
    for number in 21..36 {
        let (store, run, key) = (store.clone(), id(number), key.clone());
        let (waits, waited, asked) = (store.clone(), run.clone(), key.clone());
        let found = tokio::spawn(async move {
            waits.wait_for_answer(&waited, &asked).await.expect("an answer");
            Instant::now()
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        let began = Instant::now();
        store.put_answer(&run, &key, json!({ "is_good": true })).await.expect("an answer");
        times.push(found.await.expect("a task") - began);
    }
    waiting.shutdown().await;
    median(times).as_secs_f64() * 1e6
}
