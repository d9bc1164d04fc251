//! Leases: one driver at a time.

use cot_store::Store;
use futures_util::future::join_all;

use super::{
    records::{begun, whole},
    support::{acquire, append, entries, id, leased, ok, run_of},
};

pub(super) async fn are_given_to_one(store: &dyn Store) {
    let (run, lease) = run_of(store, "leased", vec![begun()]).await;
    assert_eq!(lease.run(), &run, "a lease is of the run that was asked for");
    leased(store.acquire(&run).await);
    append(store, &lease, vec![whole(1)]).await;
    let is_driven = async || ok(store.run(&run).await, "look").map(|run| run.is_driven);
    assert_eq!(is_driven().await, Some(true), "somebody drives it");

    let other = acquire(store, &id("another")).await;
    drop(other);
    leased(store.acquire(&run).await);

    drop(lease);
    assert_eq!(is_driven().await, Some(false), "nobody drives it");
    let lease = acquire(store, &run).await;
    append(store, &lease, vec![whole(2)]).await;
    assert_eq!(entries(store, &run).await.len(), 3, "both drivers have written");
}

pub(super) async fn are_given_to_one_of_many(store: &dyn Store) {
    let run = id("wanted");
    for _ in 0..3 {
        let taken = join_all((0..10).map(|_| store.acquire(&run))).await;
        let leases = taken.iter().filter(|taken| taken.is_ok()).count();
        assert_eq!(leases, 1, "one of many gets the lease");
        taken.into_iter().filter(Result::is_err).for_each(leased);
    }
}

pub(super) async fn have_another_epoch_each_time(store: &dyn Store) {
    let (run, lease) = run_of(store, "epochs", vec![begun()]).await;
    let mut epochs = vec![lease.epoch()];
    drop(lease);
    for _ in 0..5 {
        let lease = acquire(store, &run).await;
        assert!(!epochs.contains(&lease.epoch()), "{} was there before", lease.epoch());
        epochs.push(lease.epoch());
    }
}
