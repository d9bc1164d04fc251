//! What runs have cost, by day, process, task and engine.

use std::pin::pin;

use cot_core::{
    LanguageModel, Runner, Usage,
    model::{BoxFuture, ModelError, ModelErrorKind, ModelReply, ModelRequest},
    prelude::*,
    store::{Day, Spending, SpendingFilter, Store},
};
use cot_sqlite::SqliteStore;
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kit::{Place, begun, changed, id, replied, run_of};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    #[schemars(length(max = 30))]
    text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Costly {
    name: String,
    lines: Vec<Line>,
}

cot_process! {
    process Spenders {
        state: Costly,
        model: "large",
        max_retries: 2,
        primers: { errors: "Wrong:" },
        task draft -> Line { prompt: "Draft ${state.name}.", update: lines[], next: polish }

        task polish -> Line {
            model: "small",
            for_each: word in ["kind", "brief", "broken"],
            prompt: "Make it ${word}: ${json(state.lines)}",
            collect: ok,
            next: choose,
        }

        task choose { title: "Choose", transitions: { draft: "Draft another one", done: "Stop" } }
        task done { end }
    }
}

/// A model that is wrong at first where a prompt says `kind`, fails where it says `broken`, writes JSON that needs
/// repairs where it says `brief`, and never replies to a prompt with this word.
struct Author(&'static str);

impl LanguageModel for Author {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let prompt = request.prompt();
        if prompt.contains(self.0) {
            return Box::pin(std::future::pending());
        }
        let reply = if prompt.contains("broken") {
            Err(ModelError::new(ModelErrorKind::Other, "it is broken"))
        } else if prompt.contains("kind") && !prompt.contains("Wrong:") {
            Ok(format!("{{\"text\":\"{}\"}}", "so kind ".repeat(9)))
        } else if prompt.contains("brief") {
            Ok("```json\n{\"text\": \"Dear all\",}\n```".to_owned())
        } else if prompt.contains("Stop") {
            Ok(r#"{"intent":"end","goTo":"done","stepAfter":"nothing"}"#.to_owned())
        } else {
            Ok(r#"{"text":"Dear all"}"#.to_owned())
        };
        let usage = Usage::for_call(10, 4).cached(5, 2).reasoning(1).cost(0.5);
        let reply = reply.map(|text| ModelReply::new(text).usage(usage));
        Box::pin(std::future::ready(reply))
    }
}

fn runner(store: &SqliteStore, silent_at: &'static str) -> Runner<Spenders> {
    let runner = Spenders::runner().engine("large", Author(silent_at));
    runner.engine("small", Author(silent_at)).store(store.clone())
}

fn state(name: &str) -> Costly {
    Costly { name: name.to_owned(), ..Costly::default() }
}

const NEVER: &str = "no prompt has this";

/// Runs: two that ended, a fork of one of them, and one that stopped within a step, whose row is behind its journal.
async fn fill(store: &SqliteStore) {
    runner(store, NEVER).run_id("first").report(state("a letter")).await.unwrap();
    runner(store, NEVER).run_id("second").report(state("an offer")).await.unwrap();
    let fork = runner(store, NEVER).run_id("forked").fork("first", 1).unwrap();
    fork.create().await.unwrap().finish().report().await.unwrap();
    let mut run =
        pin!(runner(store, "brief").run_id("stopped").start(state("a poem")).unwrap().finish());
    while store.run(&id("stopped")).await.unwrap().is_none_or(|run| run.entries < 6) {
        assert!(run.as_mut().now_or_never().is_none());
        tokio::task::yield_now().await;
    }
}

/// What these runs have spent, without the days.
const SPENT: [&str; 4] = [
    "Spenders choose large: 0 calls, 0 in, 0 out, 0 cached, 0 written, 0 thought, 0 cost, \
     3 attempts, 3 failed, 0 repairs",
    "Spenders draft large: 3 calls, 30 in, 12 out, 15 cached, 6 written, 3 thought, 1.5 cost, \
     3 attempts, 0 failed, 0 repairs",
    "Spenders polish -: 0 calls, 0 in, 0 out, 0 cached, 0 written, 0 thought, 0 cost, \
     0 attempts, 3 failed, 3 repairs",
    "Spenders polish small: 11 calls, 110 in, 44 out, 55 cached, 22 written, 11 thought, 5.5 cost, \
     15 attempts, 4 failed, 0 repairs",
];

/// The rows without their days, which may be several.
async fn spent(store: &SqliteStore) -> Vec<Spending> {
    let mut rows: Vec<Spending> = Vec::new();
    for mut row in store.spending(&SpendingFilter::default()).await.unwrap() {
        row.day = Day::from_number(0);
        match rows.iter_mut().find(|known| known.compare(&row).is_eq()) {
            Some(known) => known.add(&row),
            None => rows.push(row),
        }
    }
    rows.sort_by(Spending::compare);
    rows
}

fn describe(row: &Spending) -> String {
    let Spending { process, task, engine, usage, attempts, failed_attempts, repairs, .. } = row;
    let engine = engine.as_deref().unwrap_or("-");
    format!(
        "{process} {task} {engine}: {} calls, {} in, {} out, {} cached, {} written, {} thought, {} cost, \
         {attempts} attempts, {failed_attempts} failed, {repairs} repairs",
        usage.calls,
        usage.input_tokens,
        usage.output_tokens,
        usage.cached_tokens,
        usage.cache_write_tokens,
        usage.reasoning_tokens,
        usage.cost,
    )
}

#[tokio::test(start_paused = true)]
async fn calls_count_once_by_task_and_engine() {
    let place = Place::new();
    let store = place.open();
    fill(&store).await;
    let rows: Vec<String> = spent(&store).await.iter().map(describe).collect();
    assert_eq!(rows, SPENT);
    // The table is behind the journal of the run that is not saved.
    let saved: i64 =
        place.sql().query_row("SELECT SUM(calls) FROM spending", [], |row| row.get(0)).unwrap();
    assert!(saved < 14, "{saved}");
    drop(store);

    // Whatever is still to be done with the runs, the sums stay.
    let store = place.open();
    let before = spent(&store).await;
    store.cut(&id("stopped"), 4).await.unwrap();
    assert_eq!(spent(&store).await, before);
    for run in ["first", "second", "forked", "stopped"] {
        store.remove(&id(run)).await.unwrap();
    }
    assert_eq!(spent(&store).await, before);
    store.vacuum().await.unwrap();
    assert_eq!(spent(&store).await, before);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_continues_elsewhere_counts_its_calls_once() {
    let place = Place::new();
    let store = place.open();
    fill(&store).await;
    drop(store);
    // Another program continues the run whose row is behind.
    let store = place.open();
    runner(&store, NEVER).resume("stopped").unwrap().finish().report().await.unwrap();

    assert_eq!(attempts(&store).await, calls(&store).await);
}

async fn attempts(store: &SqliteStore) -> u64 {
    spent(store).await.iter().map(|row| row.attempts).sum()
}

/// The calls of all runs, of which each is an attempt, whether or not it had a reply.
async fn calls(store: &SqliteStore) -> u64 {
    let mut sum = 0;
    for (run, shared) in [("first", 0), ("second", 0), ("forked", 1), ("stopped", 0)] {
        sum += store.run(&id(run)).await.unwrap().unwrap().usage.calls - shared;
    }
    sum
}

/// A driver whose store is written by another one all the time reads its run again and again.
#[tokio::test(start_paused = true)]
async fn drivers_in_several_stores_count_each_call_once() {
    let place = Place::new();
    let (one, other) = (place.open(), place.open());
    let drive = async |store: &SqliteStore, name: &'static str| {
        let (_, lease) = run_of(store, name, vec![begun()]).await;
        for number in 0..150 {
            let reply = replied(&format!("draft#{number}@1"), "x", "{}");
            store.append(&lease, vec![reply]).await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(drive(&one, "one"), drive(&other, "other"));
    let rows: Vec<String> = spent(&one).await.iter().map(describe).collect();
    let expected = "Process draft large: 300 calls, 30000 in, 3000 out, 18000 cached, 0 written, 1200 thought, \
        75 cost, 300 attempts, 0 failed, 0 repairs";
    assert_eq!(rows, [expected]);
}

#[tokio::test(start_paused = true)]
async fn days_and_processes_are_selected() {
    let place = Place::new();
    let store = place.open();
    let (_, _lease) =
        run_of(&store, "run", vec![begun(), replied("a#1@1", "x", "y"), changed(1)]).await;
    let day: Day = "2023-11-14".parse().unwrap();
    let mut filter = SpendingFilter::default();
    for (from, until, process, count) in [
        (Some(day), Some(day), Some("Process"), 1),
        (None, Some(day.previous()), None, 0),
        (Some(day.next()), None, None, 0),
        (None, None, Some("Other"), 0),
    ] {
        (filter.from, filter.until) = (from, until);
        filter.process = process.map(str::to_owned);
        assert_eq!(store.spending(&filter).await.unwrap().len(), count, "{filter:?}");
    }
}
