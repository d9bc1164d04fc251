//! What people who look at a store cost the worker that writes to it: the time in which a worker drives its runs while
//! 50 clients of another program ask for the table and for runs as open pages do, compared with the time in which it
//! does so alone.
//!
//! `cargo bench -p cot-sqlite --bench watched`
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

use std::{
    env,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use cot_core::{
    CotOutput, Runner, cot_process,
    model::ScriptedModel,
    store::{MemoryStore, Record, RunFilter, RunId, RunOrder, SpendingFilter, Store},
};
use cot_sqlite::{SqliteStore, Synchronous};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tempfile::TempDir;
use tokio::{runtime::Runtime, time::sleep};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Book {
    lines: Vec<Line>,
    wanted: usize,
}

cot_process! {
    process Books {
        state: Book,
        max_steps: 1000,
        start: write,

        task write -> Line {
            prompt: "Write the next line after ${json(state.lines.last())}.",
            update: lines[],
            next: { done if state.lines.len() >= state.wanted, write },
        }

        task done { end }
    }
}

/// The clients, and the time between two looks of each, as of a page that follows the store.
const CLIENTS: usize = 50;
const PERIOD: Duration = Duration::from_secs(1);

/// The runs that are in the store before.
const STORED: usize = 20_000;

/// The runs of a lap, and the steps of each.
const RUNS: usize = 8;
const STEPS: usize = 60;

/// The laps of each side.
const LAPS: usize = 11;

fn runner() -> Runner<Books> {
    Books::runner().model(ScriptedModel::from_fn(|_| json!({ "text": "A line. ".repeat(20) })))
}

fn open(path: &Path, synchronous: Synchronous) -> SqliteStore {
    SqliteStore::options().synchronous(synchronous).open(path).expect("a store")
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let runtime = Runtime::new().expect("a runtime");
    if let [command, database] = arguments.as_slice()
        && command == "watch"
    {
        return runtime.block_on(watch(Path::new(database)));
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    println!(
        "{CLIENTS} clients look at {STORED} runs while a worker drives {RUNS} runs of {STEPS} steps"
    );
    println!("{:<12}{:>12}{:>12}{:>10}{:>12}", "synchronous", "alone", "watched", "ratio", "log");
    for synchronous in [Synchronous::Full, Synchronous::Normal] {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("runs.db");
        let store = open(&path, synchronous);
        runtime.block_on(fill(&store));
        compare(&runtime, &store, &path, synchronous);
    }
}

/// Both sides take turns, so that other load affects them equally. The result is the median ratio of consecutive laps.
fn compare(runtime: &Runtime, store: &SqliteStore, path: &Path, synchronous: Synchronous) {
    let (mut alone, mut watched, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    runtime.block_on(work(store));
    for _ in 0..LAPS {
        let first = runtime.block_on(work(store));
        let mut watchers = Watchers::start(path);
        let second = runtime.block_on(work(store));
        watchers.stop();
        alone.push(first);
        watched.push(second);
        ratios.push(second / first);
    }
    let log = std::fs::metadata(path.with_extension("db-wal")).map_or(0, |log| log.len());
    let (alone, watched, ratio) = (median(alone), median(watched), median(ratios));
    let name = format!("{synchronous:?}").to_uppercase();
    println!(
        "{name:<12}{:>9.1} ms{:>9.1} ms{ratio:>10.3}{:>9.1} MB   (at most 1.05)",
        alone * 1e3,
        watched * 1e3,
        log as f64 / 1e6
    );
}

/// Returns the time in which a worker drives the runs of a lap, in seconds.
async fn work(store: &SqliteStore) -> f64 {
    let runner = runner().store(store.clone());
    for _ in 0..RUNS {
        runner.submit(&Book { lines: Vec::new(), wanted: STEPS }).await.expect("a run");
    }
    let began = Instant::now();
    self::runner().worker(store.clone()).run_until_idle().await.expect("a worker");
    began.elapsed().as_secs_f64()
}

/// Copies the journal of a run.
async fn fill(store: &SqliteStore) {
    let (one, name): (_, RunId) = (MemoryStore::default(), "book".parse().expect("a name"));
    let book = Book { lines: Vec::new(), wanted: 3 };
    runner().store(one.clone()).run_id(&name).run(book).await.expect("a run");
    let entries = one.entries(&name, 0, 100).await.expect("a journal").into_iter();
    let records: Vec<Record> = entries.map(|entry| entry.record).collect();
    for numbers in (0..STORED).collect::<Vec<_>>().chunks(500) {
        let copies = numbers.iter().map(|number| {
            let run: RunId = format!("book-{number}").parse().expect("a name");
            let records = records.clone();
            async move {
                let lease = store.acquire(&run).await.expect("a lease");
                store.append(&lease, records).await.expect("a journal");
            }
        });
        join_all(copies).await;
    }
}

/// The program of the clients.
struct Watchers(Child);

impl Watchers {
    fn start(path: &Path) -> Self {
        let mut child = Command::new(env::current_exe().expect("a program"))
            .arg("watch")
            .arg(path)
            .stdout(Stdio::piped())
            .spawn()
            .expect("a program");
        let said = child.stdout.take().expect("a pipe");
        BufReader::new(said).read_line(&mut String::new()).expect("a line");
        Self(child)
    }

    fn stop(&mut self) {
        self.0.kill().expect("a living program");
        self.0.wait().expect("a dead program");
    }
}

/// Asks for what pages show, until the program is killed.
async fn watch(database: &Path) {
    let store = SqliteStore::options().read_only().open(database).expect("a store");
    look(&store, 0).await;
    println!("ready");
    let client = |number: usize| {
        let store = store.clone();
        async move {
            sleep(PERIOD * u32::try_from(number).expect("a number") / CLIENTS as u32).await;
            loop {
                look(&store, number).await;
                sleep(PERIOD).await;
            }
        }
    };
    join_all((0..CLIENTS).map(client)).await;
}

/// Three of five clients look at the table, one at a run and one at the costs.
async fn look(store: &SqliteStore, number: usize) {
    let mut filter = RunFilter::default();
    filter.limit = Some(50);
    match number % 5 {
        0 => filter.order = RunOrder::AttentionFirst,
        1 => filter.order = RunOrder::RecentlyUpdated,
        2 => {}
        3 => {
            filter.limit = Some(1);
            let runs = store.runs(&filter).await.expect("runs");
            for run in runs {
                store.entries(&run.run, 0, usize::MAX).await.expect("a journal");
                store.drafts(&run.run).await.expect("drafts");
            }
            return;
        }
        _ => {
            store.spending(&SpendingFilter::default()).await.expect("spending");
            return;
        }
    }
    store.runs(&filter).await.expect("runs");
    store.count(&filter).await.expect("a count");
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
