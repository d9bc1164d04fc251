//! Checks of leases: one driver at a time.

use std::{
    future::poll_fn,
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use cot_store::{DueFilter, Store};
use futures_util::future::join_all;

use super::{
    records::{at, full_step, started},
    support::{acquire, append, assert_leased, create_run, entries, id, ok},
};

pub(super) async fn are_given_to_one(store: &dyn Store) {
    let (run, lease) = create_run(store, "leased", vec![started()]).await;
    assert_eq!(lease.run(), &run, "a lease belongs to the acquired run");
    assert_leased(store.acquire(&run).await);
    append(store, &lease, vec![full_step(1)]).await;
    let is_driven = async || ok(store.run(&run).await, "load a summary").map(|run| run.is_driven);
    assert_eq!(is_driven().await, Some(true), "an acquired run is driven");

    let other = acquire(store, &id("another")).await;
    drop(other);
    assert_leased(store.acquire(&run).await);

    drop(lease);
    assert_eq!(is_driven().await, Some(false), "a released run is not driven");
    let lease = acquire(store, &run).await;
    append(store, &lease, vec![full_step(2)]).await;
    assert_eq!(entries(store, &run).await.len(), 3, "both drivers have written");
}

pub(super) async fn are_given_to_one_of_many(store: &dyn Store) {
    let run = id("wanted");
    for _ in 0..3 {
        let taken = join_all((0..10).map(|_| store.acquire(&run))).await;
        let leases = taken.iter().filter(|taken| taken.is_ok()).count();
        assert_eq!(leases, 1, "one of many gets the lease");
        taken.into_iter().filter(Result::is_err).for_each(assert_leased);
    }
}

pub(super) async fn have_distinct_epochs(store: &dyn Store) {
    let (run, lease) = create_run(store, "epochs", vec![started()]).await;
    let mut epochs = vec![lease.epoch()];
    drop(lease);
    for _ in 0..5 {
        let lease = acquire(store, &run).await;
        assert!(!epochs.contains(&lease.epoch()), "epoch {} was used before", lease.epoch());
        epochs.push(lease.epoch());
    }
}

/// A driver that writes nothing for long keeps its lease, as its program renews it. Of a store whose leases end with
/// their programs, there is nothing to check.
pub(super) async fn are_renewed(store: &dyn Store) {
    let Some(time) = store.lease_time() else { return };
    let (run, lease) = create_run(store, "slow", vec![started()]).await;
    wait(2 * time).await;
    assert_leased(store.acquire(&run).await);
    let due = DueFilter::new(vec!["Process".to_owned()], at(600), 10);
    assert_eq!(ok(store.due(&due).await, "list due runs"), [], "it is driven");
    append(store, &lease, vec![full_step(1)]).await;
    drop(lease);
    let lease = acquire(store, &run).await;
    assert_eq!(lease.crashes(), 0, "its driver has not died");
}

/// Waits without a clock of the executor, which may be any.
#[expect(clippy::disallowed_methods, reason = "a store is tested in real time")]
async fn wait(time: Duration) {
    let end = Instant::now() + time;
    poll_fn(|cx| {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        thread::spawn(move || {
            thread::sleep(left);
            waker.wake();
        });
        Poll::Pending
    })
    .await;
}
