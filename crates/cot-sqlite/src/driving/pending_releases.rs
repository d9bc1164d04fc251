//! Leases that were given up but are not yet deleted from their table.

use std::{
    collections::BTreeMap,
    mem,
    sync::{Arc, atomic::AtomicU64},
};

/// The leases that are no longer held but may still be in the table. Other programs consider their runs
/// driven until they are deleted, so a failed deletion is retried later.
#[derive(Debug, Default)]
pub(crate) struct PendingReleases {
    /// The epochs, in the order in which the leases were given up. An epoch of 0 means that the lease
    /// was not acquired, which is known after all earlier tasks are done.
    epochs: BTreeMap<u64, Arc<AtomicU64>>,
    /// The number of leases that were given up so far.
    count: u64,
    /// The position up to which the current transaction has deleted leases.
    deleted: u64,
}

impl PendingReleases {
    /// Adds a lease and returns its position in the order.
    pub(crate) fn add(&mut self, epoch: Arc<AtomicU64>) -> u64 {
        self.count += 1;
        self.epochs.insert(self.count, epoch);
        self.count
    }

    /// Returns the last position in the order.
    pub(crate) const fn last(&self) -> u64 {
        self.count
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.epochs.is_empty()
    }

    /// Iterates over the epochs up to a position that the current transaction has not deleted yet.
    pub(crate) fn until(&self, last: u64) -> impl Iterator<Item = &AtomicU64> {
        self.epochs.range(self.deleted + 1..=last).map(|(_, epoch)| &**epoch)
    }

    /// Records that the current transaction has deleted the leases up to a position.
    pub(crate) const fn delete(&mut self, last: u64) {
        self.deleted = last;
    }

    /// Removes the deleted leases after the transaction was committed.
    pub(crate) fn commit(&mut self) {
        let deleted = mem::take(&mut self.deleted);
        self.epochs = self.epochs.split_off(&(deleted + 1));
    }

    /// Keeps all leases after the transaction, or a part of it, was rolled back.
    pub(crate) const fn roll_back(&mut self) {
        self.deleted = 0;
    }
}
