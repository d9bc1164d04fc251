//! Stores that have no transaction for a function are refused before anything is called, with the name of the task.

use cot_core::{
    Description, MockMode, Preflight as _, RunError, WorkerError,
    prelude::*,
    store::{MemoryStore, Store},
};
use serde::{Deserialize, Serialize};

use super::shop::{Order, Pack, PackTask, Parcel, Shop};
use crate::kit::{Place, describe_panic};

const NO_STORE: &str = "task `wrap` is called in a transaction of the store of the run, and the runner has no store: \
    use a store in the database that the function writes to, such as `SqliteStore` or `PgStore`, or a mock";

#[tokio::test]
async fn a_runner_without_a_store_is_refused() {
    let error = Pack::runner().run(Parcel::default()).await.unwrap_err();
    assert!(matches!(error, RunError::Transactions(_)));
    assert_eq!(error.to_string(), NO_STORE);
}

#[tokio::test]
async fn a_store_without_transactions_is_refused() {
    let runner = Shop::runner().store(MemoryStore::default());
    let error = runner.run(Order::default()).await.unwrap_err().to_string();
    let tasks = "task `book`, task `note`, task `lines`, task `left`, task `right`, task `wrap` are called in a transaction";
    assert!(error.contains(tasks), "{error}");
    assert!(error.contains("the store of the runner has no transactions"), "{error}");
    let error = Pack::runner().worker(MemoryStore::default()).run_until_idle().await.unwrap_err();
    assert!(matches!(error, WorkerError::Process { .. }));
    assert!(describe_panic(&error).contains("task `wrap`"), "{error}");
    let unstored = MemoryStore::default()
        .begin(&MemoryStore::default().acquire(&"run".parse().unwrap()).await.unwrap())
        .await;
    assert!(unstored.is_err());
}

#[tokio::test]
async fn a_task_that_runs_alone_is_refused() {
    let runner = Pack::runner().store(Place::new().open());
    let error = runner.run_task(PackTask::Wrap, Parcel::default()).await.unwrap_err().to_string();
    assert!(error.contains("a task that runs alone is not stored"), "{error}");
}

#[test]
fn a_driver_without_such_a_store_can_refuse_it() {
    let error = Shop::refuse_transactions().unwrap_err().to_string();
    assert!(error.contains("task `book`") && error.contains("this driver"), "{error}");
}

#[test]
fn a_manifest_says_which_tasks_have_transactions() {
    let manifest = Description::new::<Shop>().manifest();
    let tasks = manifest["tasks"].as_array().unwrap().iter();
    let with: Vec<_> = tasks.filter(|task| task["transaction"] == true).collect();
    assert_eq!(with.len(), 5, "{with:?}");
    assert!(with[0].get("once").is_none());
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Visit {
    count: u32,
}

/// Stands for the connection of another database.
struct OtherConnection;

cot_process! {
    process Elsewhere {
        state: Visit,
        task count -> u32 { run: count, effect: transaction, mock: two, update: count, next: done }
        task done { end }
    }
}

async fn count(_: &Visit, _: &mut OtherConnection) -> Result<u32, std::io::Error> {
    Ok(1)
}

fn two(_: &Visit) -> u32 {
    2
}

#[tokio::test]
async fn a_connection_of_another_database_is_refused() {
    let runner = Elsewhere::runner().store(Place::new().open());
    let error = runner.run(Visit::default()).await.unwrap_err().to_string();
    assert!(error.starts_with("the function of task `count` takes a `&mut "), "{error}");
    assert!(error.contains("OtherConnection`"), "{error}");
    assert!(error.ends_with("the connection of the store is `rusqlite::Connection`"), "{error}");
}

#[tokio::test]
async fn a_mock_needs_no_transaction() {
    let run = Elsewhere::runner().mock_mode(MockMode::All).run(Visit::default()).await.unwrap();
    assert_eq!(run.state.count, 2);
}

#[tokio::test]
async fn a_machine_with_other_mocks_than_its_runner_is_refused() {
    let mut machine = Elsewhere::machine();
    machine.start(Visit::default()).unwrap();
    let runner = Elsewhere::runner().mock_mode(MockMode::All);
    let error = runner.run_machine(machine).await.unwrap_err();
    assert!(matches!(error, RunError::Transactions(_)), "{error}");
    assert!(error.to_string().starts_with("task `count` is called"), "{error}");
}
