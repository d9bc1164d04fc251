//! The history as a branch sees it.

use std::{mem, sync::Arc};

use crate::values::history::{History, HistoryEntry};

/// The history as a branch sees it: that of the run at its start, and its own entries. So a prompt does not depend
/// on the order in which the branches commit.
#[derive(Debug, Default)]
pub(crate) struct BranchHistory {
    pub(crate) seen: Arc<History>,
    /// The entries since the branch began to move, which a branch around it sees too.
    added: Vec<HistoryEntry>,
}

impl BranchHistory {
    pub(crate) const fn new(seen: Arc<History>) -> Self {
        Self { seen, added: Vec::new() }
    }

    pub(crate) fn push(&mut self, entry: HistoryEntry, max: Option<usize>) {
        self.added.push(entry.clone());
        Arc::make_mut(&mut self.seen).push(entry, max);
    }

    /// Adds the entries since the last call to the history of the branch around this one, if there is one.
    pub(crate) fn share_with(&mut self, around: Option<&mut Self>, max: Option<usize>) {
        let added = mem::take(&mut self.added);
        if let Some(around) = around {
            added.into_iter().for_each(|entry| around.push(entry, max));
        }
    }
}
