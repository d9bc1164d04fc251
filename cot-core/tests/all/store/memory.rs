use std::sync::Arc;

use cot_core::{
    store::{MemoryStore, RunId, Store, StoreError},
    testing::check_store,
};

#[tokio::test]
async fn the_store_in_memory_keeps_the_contract() {
    check_store(async || MemoryStore::default()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_threads_gets_the_lease() {
    let store = MemoryStore::default();
    let run: Arc<RunId> = Arc::new("wanted".parse().unwrap());
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (store, run) = (store.clone(), Arc::clone(&run));
            tokio::spawn(async move { store.acquire(&run).await })
        })
        .collect();
    let mut taken = Vec::new();
    for task in tasks {
        taken.push(task.await.unwrap());
    }
    assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 1);
}

#[tokio::test]
async fn a_lease_of_another_store_is_worth_nothing() {
    let run: RunId = "run".parse().unwrap();
    let lease = MemoryStore::default().acquire(&run).await.unwrap();
    let error = MemoryStore::default().append(&lease, Vec::new()).await.unwrap_err();
    assert!(matches!(error, StoreError::LeaseLost { .. }), "{error:?}");
}

#[tokio::test]
async fn clones_share_the_runs() {
    let store = MemoryStore::default();
    let run: RunId = "run".parse().unwrap();
    let _lease = store.clone().acquire(&run).await.unwrap();
    let error = store.acquire(&run).await.unwrap_err();
    assert_eq!(error.to_string(), "run `run` is driven by this program");
}
