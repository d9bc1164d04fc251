//! A database of an earlier version is readable, and its runs can be resumed.
//!
//! `tests/data/runs.db` never changes, and neither does the process here: its fingerprint is in the database.
//! `COT_WRITE_SAMPLES=1` writes it if it is missing.

use std::{fs, path::Path, pin::pin};

use cot_core::{
    LanguageModel, Runner, Usage,
    model::{BoxFuture, ModelError, ModelReply, ModelRequest},
    prelude::*,
    store::{Entry, Record, RunFilter, Store},
};
use cot_sqlite::SqliteStore;
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::kit::{Place, entries, id, key};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    #[schemars(length(max = 30))]
    text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Approval {
    is_good: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Draft {
    to: String,
    lines: Vec<Line>,
    is_good: bool,
}

cot_process! {
    process Writing {
        state: Draft,
        model: "large",
        max_retries: 1,
        primers: { errors: "Wrong:" },

        task draft -> Line {
            prompt: "Draft a letter to ${state.to}.",
            update: lines[],
            next: polish,
        }

        task polish -> Line {
            for_each: word in ["kind", "brief"],
            prompt: "Make it ${word}: ${json(state.lines)}",
            update: { lines = output },
            next: approve,
        }

        task approve -> Approval {
            ask: "Is it good?",
            update: { is_good = output.is_good },
            next: { done if output.is_good, lost },
        }

        task lost { fail: "it is not good" }
        task done { end }
    }
}

/// A model that replies to every prompt without this word, and never to one with it.
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
        let is_wrong = prompt.contains("kind") && !prompt.contains("Wrong:");
        let text = if is_wrong { "so kind ".repeat(9) } else { "Dear all".to_owned() };
        let reply = ModelReply::from(json!({ "text": text }));
        Box::pin(std::future::ready(Ok(reply.usage(call()))))
    }
}

fn call() -> Usage {
    Usage::for_call(10, 2).cost(0.5)
}

const NO_WORD: &str = "no prompt has this";

fn runner(store: &SqliteStore, silent_at: &'static str) -> Runner<Writing> {
    Writing::runner().engine("large", Author(silent_at)).store(store.clone())
}

fn state() -> Draft {
    Draft { to: "Anna".to_owned(), ..Draft::default() }
}

fn approves(runner: Runner<Writing>) -> Runner<Writing> {
    runner.person(|_| std::future::ready(Approval { is_good: true }))
}

/// Runs until the journal has this many entries, then dies.
async fn leave(runner: Runner<Writing>, store: &SqliteStore, name: &str, count: u64) {
    let mut run = pin!(runner.run_id(name).start(state()).unwrap().finish());
    while store.run(&id(name)).await.unwrap().is_none_or(|run| run.entries < count) {
        assert!(run.as_mut().now_or_never().is_none());
        tokio::task::yield_now().await;
    }
}

/// Runs: one that ended, one with an item answered, two with a question (one of them answered), and a
/// fork.
async fn fill(store: &SqliteStore) {
    approves(runner(store, NO_WORD)).run_id("ended").run(state()).await.unwrap();
    leave(runner(store, "brief"), store, "working", WORKING).await;
    leave(runner(store, NO_WORD), store, "asking", ASKING).await;
    leave(runner(store, NO_WORD), store, "answered", ASKING).await;
    let answer = json!({ "is_good": true });
    store.put_answer(&id("answered"), &key("approve#1@1"), answer).await.unwrap();
    let fork = approves(runner(store, NO_WORD)).run_id("forked").fork("ended", 1).unwrap();
    drop(fork.change_state(|draft| draft.to.push('!')).create().await.unwrap());
}

/// The number of entries of a run whose first item was answered twice.
const WORKING: u64 = 5;

/// The number of entries of a run that asks.
const ASKING: u64 = 7;

const NAMES: [&str; 5] = ["ended", "working", "asking", "answered", "forked"];

/// The sample of the present version.
const PRESENT: &str = "runs.db";

fn sample(file: &str) -> String {
    format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// A copy of a sample.
fn copied(file: &str) -> Place {
    let place = Place::new();
    fs::copy(sample(file), &place.path).unwrap();
    place
}

/// The entries without their times and the version of this package.
fn timeless(entries: &[Entry]) -> Vec<Value> {
    fn forget(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|name, _| !["at", "since", "until", "program"].contains(&&**name));
                members.values_mut().for_each(forget);
            }
            Value::Array(items) => items.iter_mut().for_each(forget),
            _ => {}
        }
    }
    let records = entries.iter().map(|entry| &entry.record);
    let values = records.map(|record: &Record| serde_json::to_value(record).unwrap());
    values
        .map(|mut value| {
            forget(&mut value);
            value
        })
        .collect()
}

fn schema(place: &Place) -> Vec<Option<String>> {
    let sql = place.sql();
    let mut statement = sql.prepare("SELECT sql FROM sqlite_schema ORDER BY name").unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(|sql: rusqlite::Result<Option<String>>| sql.unwrap().as_deref().map(without_comments))
        .collect()
}

/// The comments of a schema are stored with it, and may say more in a later version.
fn without_comments(sql: &str) -> String {
    let lines = sql.lines().filter(|line| !line.trim_start().starts_with("--"));
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test(start_paused = true)]
async fn a_database_is_written_as_it_was() {
    let place = Place::new();
    let store = place.open();
    fill(&store).await;
    if std::env::var_os("COT_WRITE_SAMPLES").is_some() && !Path::new(&sample(PRESENT)).exists() {
        store.back_up(sample(PRESENT)).await.unwrap();
    }
    let then = copied(PRESENT);
    let old = then.open();
    assert_eq!(schema(&place), schema(&then));
    for name in NAMES {
        let (now, then) = (entries(&store, &id(name)).await, entries(&old, &id(name)).await);
        assert_eq!(timeless(&now), timeless(&then), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_runs_of_an_old_database_go_on() {
    let place = copied(PRESENT);
    let store = place.open();
    let runs = store.runs(&RunFilter::default()).await.unwrap();
    let mut seen: Vec<String> = runs.iter().map(ToString::to_string).collect();
    seen.sort();
    let expected = [
        "answered (Writing) asking at approve (approve#1@1): Is it good?, 3 steps",
        "asking (Writing) asking at approve (approve#1@1): Is it good?, 3 steps",
        "ended (Writing) end at done, 3 steps",
        "forked (Writing) running at polish, 1 steps, a fork of ended at step 1",
        "working (Writing) running at polish, 1 steps",
    ];
    assert_eq!(seen, expected);
    for name in NAMES {
        // A stored answer is used without a person.
        let runner = runner(&store, NO_WORD);
        let runner = if name == "answered" { runner } else { approves(runner) };
        let run = runner.resume(name).unwrap().await.unwrap();
        assert!(matches!(run.outcome, WritingOutcome::Done), "{name}: {run:?}");
        let to = if name == "forked" { "Anna!" } else { "Anna" };
        let lines = vec![Line { text: "Dear all".to_owned() }; 2];
        assert_eq!(run.state, Draft { to: to.to_owned(), lines, is_good: true }, "{name}");
        assert_eq!(run.usage, call() + call() + call() + call(), "{name}");
    }
}
