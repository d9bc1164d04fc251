//! A program for the crash tests: runs all its processes at once, and goes on with those that an earlier
//! life of it has left. `crash_worker DATABASE MODEL_URL`.
//!
//! Exits with 0 when every run has ended, with 3 when the store failed, and says why.

use std::{env, process::ExitCode};

use cot_core::{model::OpenAiCompatible, store::RunId};
use cot_crash_tests::{Counter, CounterOutcome, CounterState, RUNS};
use cot_sqlite::SqliteStore;
use tokio::task::JoinSet;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [database, url] = arguments.as_slice() else {
        eprintln!("usage: crash_worker DATABASE MODEL_URL");
        return ExitCode::from(2);
    };
    match work(database, url).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", in_full(&*error));
            ExitCode::from(3)
        }
    }
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

async fn work(database: &str, url: &str) -> Result<(), Failure> {
    let store = SqliteStore::open(database)?;
    let model = OpenAiCompatible::builder(url, "counted").build()?;
    let runner = Counter::runner().model(model).store(store);
    let mut running = JoinSet::new();
    for run in 0..RUNS {
        let id: RunId = format!("run-{run}").parse()?;
        running.spawn(runner.clone().run_id(id).run(CounterState::of(run)));
    }
    while let Some(ended) = running.join_next().await {
        match ended??.outcome {
            CounterOutcome::Done => {}
            other => return Err(format!("a run ended in another way: {other:?}").into()),
        }
    }
    Ok(())
}

fn in_full(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
