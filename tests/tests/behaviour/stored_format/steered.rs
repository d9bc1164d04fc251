//! Journals of runs into which somebody has reached.

use std::pin::pin;

use cot_core::store::{MemoryStore, Record, Store};

use super::{
    journals::{RUN, runner},
    tour::{Journey, Tour},
};

async fn records(store: &MemoryStore) -> Vec<Record> {
    let entries = store.entries(&RUN.parse().unwrap(), 0, usize::MAX).await.unwrap();
    entries.into_iter().map(|entry| entry.record).collect()
}

/// A run that was paused, whose state was changed then, and whose program died.
pub(super) async fn paused(state: Journey) -> Vec<Record> {
    let store = MemoryStore::default();
    let mut active = runner::<Tour>(store.clone()).start(state).unwrap();
    active.step().await.unwrap();
    let handle = active.handle();
    handle.pause();
    while !handle.is_paused() {
        active.next().await.unwrap();
    }
    let mut changed = pin!(active.state_handle().update(|journey| journey.total += 2));
    loop {
        tokio::select! {
            biased;
            changed = &mut changed => break changed.unwrap(),
            _ = active.next() => {}
        }
    }
    drop(active);
    records(&store).await
}

/// A run that was made of another one.
pub(super) async fn forked(state: Journey) -> Vec<Record> {
    let (store, other) = (MemoryStore::default(), "other");
    runner::<Tour>(store.clone()).run_id(other).run(state).await.unwrap();
    let fork = runner::<Tour>(store.clone()).fork(other, 18).unwrap();
    let fork = fork.goal("See it again").change_state(|journey| journey.total += 3);
    fork.create().await.unwrap().await.unwrap();
    records(&store).await
}
