//! Leases that are given up and still have to be deleted from their table.

use std::{
    collections::BTreeMap,
    mem,
    sync::{Arc, atomic::AtomicU64},
};

/// Leases that nobody holds any more and that the table may still have. As long as it has them, other programs
/// find their runs driven: so what can't be deleted now is deleted later.
#[derive(Debug, Default)]
pub(crate) struct Owed {
    /// The epochs, in the order in which they were given up. One is 0 if the run was not taken in the end, which
    /// is known once all that was asked for before is done.
    epochs: BTreeMap<u64, Arc<AtomicU64>>,
    /// How many were given up so far.
    count: u64,
    /// Up to where they are deleted in the transaction that is under way.
    deleted: u64,
}

impl Owed {
    /// Gives its place in the order.
    pub(crate) fn add(&mut self, epoch: Arc<AtomicU64>) -> u64 {
        self.count += 1;
        self.epochs.insert(self.count, epoch);
        self.count
    }

    /// The last place in the order.
    pub(crate) const fn last(&self) -> u64 {
        self.count
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.epochs.is_empty()
    }

    /// The epochs that the transaction under way has not deleted yet, up to a place in the order.
    pub(crate) fn until(&self, last: u64) -> impl Iterator<Item = &AtomicU64> {
        self.epochs.range(self.deleted + 1..=last).map(|(_, epoch)| &**epoch)
    }

    /// The transaction under way has deleted those up to a place in the order.
    pub(crate) const fn delete(&mut self, last: u64) {
        self.deleted = last;
    }

    /// The transaction is committed.
    pub(crate) fn settle(&mut self) {
        let deleted = mem::take(&mut self.deleted);
        self.epochs = self.epochs.split_off(&(deleted + 1));
    }

    /// The transaction, or a part of it, is undone.
    pub(crate) const fn undo(&mut self) {
        self.deleted = 0;
    }
}
