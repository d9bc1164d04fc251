//! A program for the crash tests: runs all its processes, and goes on with those that an earlier life of it
//! has left. `crash_worker DATABASE MODEL_URL` runs them at once, and waits for the disk with each commit;
//! `crash_worker DATABASE MODEL_URL one-by-one` does neither. `crash_worker DATABASE MODEL_URL work N` is a worker
//! that sets runs aside after N crashes, and works until all runs of the database have ended or are set aside.
//!
//! `crash_worker DATABASE FILE pay` runs payments, whose calls are recorded in the file; `collect` in place of `pay` is the
//! next version of the program, which migrates them.
//! `crash_worker DATABASE FILE order` does the same with orders, and prints how each has ended.
//!
//! Exits with 0 when every run has ended, with 3 when the store failed, and says why.

use std::{env, process::ExitCode, time::Duration};

use cot_core::{
    Process, ResumeOptions, Runner,
    model::OpenAiCompatible,
    store::{RunFilter, RunId, Store},
};
use cot_crash_tests::{
    Counter, CounterOutcome, CounterState, Fuse, RUNS,
    orders::{Clerk, ORDERS, Order, Orders, OrdersOutcome},
    payments::{self, PAYMENTS, Payment, Payments, Sink},
};
use cot_sqlite::{SqliteStore, Synchronous};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::task::JoinSet;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let worked = match arguments[..] {
        [database, url] => all_at_once(database, url).await,
        [database, url, "one-by-one"] => one_by_one(database, url).await,
        [database, url, "work"] => work(database, url, None).await,
        [database, url, "work", crashes] => work(database, url, Some(crashes)).await,
        [database, file, "pay"] => pay(database, file).await,
        [database, file, "collect"] => collect(database, file).await,
        [database, file, "order"] => order(database, file).await,
        _ => {
            eprintln!(
                "usage: crash_worker DATABASE MODEL_URL [one-by-one | work [CRASHES] | pay | collect | order]"
            );
            return ExitCode::from(2);
        }
    };
    match worked {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", in_full(&*error));
            ExitCode::from(3)
        }
    }
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

async fn all_at_once(database: &str, url: &str) -> Result<(), Failure> {
    let runner = runner(SqliteStore::open(database)?, url)?;
    let mut running = JoinSet::new();
    for number in 0..RUNS {
        running.spawn(run(runner.clone(), number));
    }
    while let Some(ended) = running.join_next().await {
        ended??;
    }
    Ok(())
}

async fn pay(database: &str, file: &str) -> Result<(), Failure> {
    let store = SqliteStore::open(database)?;
    pay_all(Payments::runner(Sink { file: file.into() }).store(store)).await
}

async fn collect(database: &str, file: &str) -> Result<(), Failure> {
    let store = SqliteStore::open(database)?;
    // It does not say what became of a charge that is under way.
    let options = ResumeOptions::new().migrate(|run| {
        run.move_to("collect");
        Ok(())
    });
    let runner = payments::next::Payments::runner(Sink { file: file.into() });
    pay_all(runner.store(store).resume_options(options)).await
}

async fn pay_all<P>(runner: Runner<P>) -> Result<(), Failure>
where
    P: Process<State = Payment>,
{
    let numbers = stream::iter(0..PAYMENTS).map(Ok);
    numbers
        .try_for_each_concurrent(4, |number| {
            let runner = runner.clone().run_id(format!("payment-{number}"));
            async move {
                let outcome = format!("{:?}", runner.report(Payment::default()).await?.outcome);
                match &*outcome {
                    "Done" => Ok(()),
                    other => Err(format!("a payment ended in another way: {other}").into()),
                }
            }
        })
        .await
}

async fn order(database: &str, file: &str) -> Result<(), Failure> {
    let (store, sink) = (SqliteStore::open(database)?, Sink { file: file.into() });
    let runner = Orders::runner(sink.clone()).model(Clerk { sink }).store(store);
    let numbers = stream::iter(0..ORDERS).map(Ok);
    numbers
        .try_for_each_concurrent(4, |number| {
            let runner = runner.clone().run_id(format!("order-{number}"));
            async move {
                let run = runner.run(Order::new(number)).await?;
                let Order { is_charged, mails, letter, .. } = &run.state;
                println!("order-{number}: charged {is_charged}, {mails} mails, {letter}");
                match run.outcome {
                    OrdersOutcome::Done => Ok(()),
                    other => Err(format!("an order ended in another way: {other:?}").into()),
                }
            }
        })
        .await
}

async fn one_by_one(database: &str, url: &str) -> Result<(), Failure> {
    let store = SqliteStore::options().synchronous(Synchronous::Normal).open(database)?;
    let runner = runner(store, url)?;
    for number in 0..RUNS {
        run(runner.clone(), number).await?;
    }
    Ok(())
}

async fn work(database: &str, url: &str, max_crashes: Option<&str>) -> Result<(), Failure> {
    let store = SqliteStore::open(database)?;
    let counter = runner(store.clone(), url)?;
    let worker = counter.worker(store.clone()).serve(Fuse::runner()).max_runs(8);
    let mut worker = worker.poll_interval(Duration::from_millis(20));
    if let Some(max_crashes) = max_crashes {
        worker = worker.max_crashes(max_crashes.parse()?);
    }
    let worker = worker.observe(|event| println!("{event}"));
    Ok(worker.run_until(all_ended(&store)).await?)
}

/// Waits until all runs have ended or are set aside.
async fn all_ended(store: &SqliteStore) {
    let mut left = RunFilter::default();
    (left.is_ended, left.is_set_aside, left.limit) = (Some(false), Some(false), Some(1));
    while !matches!(store.runs(&left).await, Ok(left) if left.is_empty()) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn runner(store: SqliteStore, url: &str) -> Result<Runner<Counter>, Failure> {
    let model = OpenAiCompatible::builder(url, "counted").build()?;
    Ok(Counter::runner().model(model).store(store))
}

async fn run(runner: Runner<Counter>, number: u32) -> Result<(), Failure> {
    let id: RunId = format!("run-{number}").parse()?;
    match runner.run_id(id).run(CounterState::new(number)).await?.outcome {
        CounterOutcome::Done => Ok(()),
        other => Err(format!("a run ended in another way: {other:?}").into()),
    }
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
