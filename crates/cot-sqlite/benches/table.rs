//! The table of runs at 100,000 runs: the time of a page of 50 runs with the number of all runs that match, for every
//! order and the usual filters, and the time of what runs have spent.
//!
//! `cargo bench -p cot-sqlite --bench table`; `RUNS=20000` in the environment takes fewer runs.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

use std::{
    env,
    time::{Duration, Instant, SystemTime},
};

use cot_core::store::{
    Record, RunFilter, RunId, RunOrder, SpendingFilter, Status, StatusKind, Store,
};
use cot_sqlite::{SqliteStore, Synchronous};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;

const ORDERS: [RunOrder; 10] = [
    RunOrder::NewestFirst,
    RunOrder::OldestFirst,
    RunOrder::RecentlyUpdated,
    RunOrder::LeastRecentlyUpdated,
    RunOrder::MostExpensive,
    RunOrder::Cheapest,
    RunOrder::MostSteps,
    RunOrder::FewestSteps,
    RunOrder::ByName,
    RunOrder::AttentionFirst,
];

const PROCESSES: [&str; 5] = ["Letters", "Orders", "Support", "DsBuilder", "Translate"];

/// When the first run began.
const START: u64 = 1_700_000_000_000;

fn main() {
    if !env::args().any(|argument| argument == "--bench") {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let count = env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(100_000);
    let folder = TempDir::new().expect("a folder");
    let options = SqliteStore::options().synchronous(Synchronous::Normal);
    let store = options.open(folder.path().join("runs.db")).expect("a store");
    let began = Instant::now();
    runtime.block_on(fill(&store, count));
    println!("{count} runs, written in {:.1} s", began.elapsed().as_secs_f64());
    println!("{:<44}{:>10}{:>12}{:>12}", "", "matches", "page + count", "of which count");
    for (name, filter) in lists(count) {
        runtime.block_on(measure(&store, &name, filter));
    }
    let filter = SpendingFilter::default();
    let spent = || runtime.block_on(store.spending(&filter)).expect("spending").len();
    println!("{:<44}{:>10}{:>9.2} ms", "what runs have spent", spent(), millis(spent));
}

/// The lists that are measured.
fn lists(count: u64) -> Vec<(String, RunFilter)> {
    let mut lists = Vec::new();
    let mut add = |name: &str, change: &dyn Fn(&mut RunFilter)| {
        let mut filter = RunFilter::default();
        filter.limit = Some(50);
        change(&mut filter);
        lists.push((name.to_owned(), filter));
    };
    for order in ORDERS {
        add(&format!("{order:?}"), &|filter| filter.order = order);
    }
    let half = usize::try_from(count / 2).expect("a number");
    for order in ORDERS {
        add(&format!("{order:?}, from the middle on"), &|filter| {
            (filter.order, filter.offset) = (order, half);
        });
    }
    let text = |text: &str| Some(text.to_owned());
    add("one process", &|filter| filter.process = text("Orders"));
    add("one process, most expensive", &|filter| {
        (filter.process, filter.order) = (text("Orders"), RunOrder::MostExpensive);
    });
    add("one process, by name", &|filter| {
        (filter.process, filter.order) = (text("Orders"), RunOrder::ByName);
    });
    add("one process, by attention", &|filter| {
        (filter.process, filter.order) = (text("Orders"), RunOrder::AttentionFirst);
    });
    add("unfinished", &|filter| filter.is_ended = Some(false));
    add("asking, by attention", &|filter| {
        (filter.is_asking, filter.order) = (Some(true), RunOrder::AttentionFirst);
    });
    add("failed or halted", &|filter| filter.status = vec![StatusKind::Fail, StatusKind::Halted]);
    add("queued (none)", &|filter| filter.status = vec![StatusKind::Queued]);
    add("set aside (none)", &|filter| filter.is_set_aside = Some(true));
    add("at a task", &|filter| filter.task = text("approve"));
    add("of a day", &|filter| {
        let day = SystemTime::UNIX_EPOCH + Duration::from_millis(START + 86_400_000);
        filter.begun_after = Some(day);
        filter.begun_before = Some(day + Duration::from_hours(24));
    });
    add("lately updated, costing over 1", &|filter| {
        let late = START + count * 4_000;
        filter.updated_after = Some(SystemTime::UNIX_EPOCH + Duration::from_millis(late));
        (filter.min_cost, filter.order) = (Some(1.0), RunOrder::RecentlyUpdated);
    });
    add("search: customer 77", &|filter| filter.search = text("customer 77"));
    add("search: nothing", &|filter| filter.search = text("nowhere"));
    lists
}

async fn measure(store: &SqliteStore, name: &str, filter: RunFilter) {
    let (mut both, mut counts, mut matches) = (Vec::new(), Vec::new(), 0);
    for _ in 0..9 {
        let began = Instant::now();
        let runs = store.runs(&filter).await.expect("runs");
        let middle = Instant::now();
        matches = store.count(&filter).await.expect("a count");
        both.push(began.elapsed());
        counts.push(middle.elapsed());
        assert!(runs.len() <= 50);
    }
    let [both, counts] = [both, counts].map(median);
    let mark = if both > 30.0 { "  over 30 ms" } else { "" };
    println!("{name:<44}{matches:>10}{both:>9.2} ms{counts:>9.2} ms{mark}");
}

fn millis<T>(work: impl Fn() -> T) -> f64 {
    let time = |_| {
        let began = Instant::now();
        work();
        began.elapsed()
    };
    median((0..9).map(time).collect())
}

/// Returns the median in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64() * 1e3
}

async fn fill(store: &SqliteStore, count: u64) {
    let numbers: Vec<u64> = (0..count).collect();
    for numbers in numbers.chunks(500) {
        let runs = numbers.iter().map(|number| async move {
            let name = format!("{:011x}-{:016x}", START + number * 5_000, chance(*number));
            let run: RunId = name.parse().expect("a name");
            let lease = store.acquire(&run).await.expect("a lease");
            for records in journal(*number) {
                store.append(&lease, records).await.expect("an append");
            }
        });
        join_all(runs).await;
    }
}

/// Returns a number that looks random.
const fn chance(number: u64) -> u64 {
    let mixed = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The appends of a run: three calls, and how it stands.
fn journal(number: u64) -> Vec<Vec<Record>> {
    let lots = chance(number) >> 8;
    let at = START + number * 5_000;
    let begun = record(json!({ "begun": { "at": at, "process": PROCESSES[(lots % 5) as usize],
        "snapshot": { "state": "x".repeat(200) }, "status": { "status": "running", "task": "draft" } } }));
    let mut appends = vec![vec![begun]];
    let steps = 3 + lots % 40;
    let engine = if lots.is_multiple_of(2) { "large" } else { "small" };
    let cost = (lots % 1_000) as f64 / 500.0 * (lots % 3) as f64;
    for step in 1..=3 {
        let at = at + step * (lots % 600_000);
        let last = step == 3;
        let status = if last { status(number, lots, at) } else { running() };
        let usage = json!({ "calls": step, "input_tokens": 900 * step, "output_tokens": 80 * step,
            "cost": cost / 3.0 * step as f64 });
        let call =
            json!({ "calls": 1, "input_tokens": 900, "output_tokens": 80, "cost": cost / 3.0 });
        appends.push(vec![record(json!({ "event": { "at": at,
            "asked": { "key": format!("draft#{step}@1"), "engine": engine,
                "prompt": [{ "part": "system", "stability": "fixed", "text": "Do what the step asks." }] },
            "event": { "replied": { "id": step, "reply": { "text": "{\"text\":\"Dear all\"}".repeat(10),
                "finish": "stop", "usage": call }, "elapsed": { "secs": 1, "nanos": 0 } } } } }))]);
        let steps = if last { steps } else { step };
        appends.push(vec![record(
            json!({ "step": { "at": at, "progress": { "whole": { "at": "y".repeat(300) } },
            "status": status, "steps": steps, "usage": usage } }),
        )]);
    }
    if lots % 1_000 >= 998 {
        // The row of a running run is behind its journal.
        let wake = json!({ "event": { "at": at + 700_000, "event": { "woken": { "id": 9 } } } });
        appends.push(vec![record(wake)]);
    }
    appends
}

fn record(value: Value) -> Record {
    serde_json::from_value(value).expect("a record")
}

fn running() -> Value {
    json!({ "status": "running", "task": "polish" })
}

/// Of 1000 runs: 820 ended well, 60 failed, 40 were halted, 60 wait for a person, 10 sleep and 10 are running, of
/// which the rows of 2 are behind their journals.
fn status(number: u64, lots: u64, at: u64) -> Value {
    let ended =
        |how: &str, why: &str| json!({ "status": "ended", "task": "done", "how": how, "why": why });
    let status = match lots % 100 {
        0..80 => ended("end", ""),
        80..86 => ended("fail", &format!("it is not good, said the reviewer of order {number}")),
        86..90 => ended("halted", "the budget of 10 calls is used up"),
        90..96 => json!({ "status": "asking", "task": "approve", "key": "approve#1@1",
            "question": format!("Send this to customer {number}?\n{}", "Dear all, ".repeat(50)),
            "schema": { "type": "object", "properties": { "is_good": { "type": "boolean" } },
                "required": ["is_good"], "title": "Approval" },
            "since": at, "until": number.is_multiple_of(2).then_some(at + 10_000_000) }),
        96 => json!({ "status": "sleeping", "task": "wait", "until": at + 60_000 }),
        _ if lots % 1_000 >= 990 => running(),
        _ => ended("end", ""),
    };
    // A status that can't be read would not be stored.
    assert!(serde_json::from_value::<Status>(status.clone()).is_ok());
    status
}
