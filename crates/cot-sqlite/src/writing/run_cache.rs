//! A cache of the runs that are driven through this store, so that an append need not read its run.

use std::collections::HashMap;

use cot_store::{EntryHash, RunId, RunSummary, internal::RunTexts};
use rusqlite::Connection;

use crate::{
    chain,
    error::OperationError,
    runs::table::StoredRun,
    spending::{self, Sums},
};

/// The most recently appended runs, by the epochs of their leases. A cached run implies that the lease
/// is held.
#[derive(Debug, Default)]
pub(crate) struct RunCache {
    runs: HashMap<u64, CachedRun>,
}

/// The state of a run in the database.
#[derive(Debug)]
pub(crate) struct CachedRun {
    /// The id of the run in the database.
    pub(crate) id: i64,
    pub(crate) summary: RunSummary,
    /// The number of entries when the row of the run was last written.
    pub(crate) saved: u64,
    /// What the entries since then have used.
    pub(crate) unsaved: Sums,
    /// Whether the row is to be written with the next entry, so that what it lacks is not read again.
    pub(crate) is_behind: bool,
    pub(crate) texts: RunTexts,
    /// The hash of the last entry.
    pub(crate) hash: Option<EntryHash>,
}

impl CachedRun {
    /// Creates the state of a run whose row has just been written.
    pub(crate) fn new(id: i64, summary: RunSummary) -> Self {
        Self {
            id,
            saved: summary.entries,
            summary,
            unsaved: Sums::default(),
            is_behind: false,
            texts: RunTexts::default(),
            hash: None,
        }
    }

    /// Loads what the row of a run lacks.
    pub(crate) fn load(connection: &Connection, run: StoredRun) -> Result<Self, OperationError> {
        let StoredRun { id, summary, saved, .. } = run;
        let hash = chain::hash_before(connection, id, summary.entries)?;
        let mut loaded = Self { saved, hash, ..Self::new(id, summary) };
        if loaded.summary.entries > saved {
            loaded.unsaved = spending::unsaved(connection, id)?;
            loaded.is_behind = true;
        }
        Ok(loaded)
    }
}

/// The limit on cached runs.
const MAX_RUNS: usize = 1024;

impl RunCache {
    /// Removes a run from the cache. The caller puts it back after a successful append, so that a
    /// failed one clears it.
    pub(crate) fn take(&mut self, epoch: u64, run: &RunId) -> Option<CachedRun> {
        self.runs.remove(&epoch).filter(|known| known.summary.run == *run)
    }

    pub(crate) fn put(&mut self, epoch: u64, run: CachedRun) {
        if self.runs.len() >= MAX_RUNS {
            self.clear();
        }
        self.runs.insert(epoch, run);
    }

    /// Clears the cache, after a rollback or a write of another program.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
    }

    /// Removes a run whose lease is acquired again.
    pub(crate) fn remove_run(&mut self, run: &RunId) {
        self.runs.retain(|_, known| known.summary.run != *run);
    }

    /// Removes the run of a released lease.
    pub(crate) fn remove_lease(&mut self, epoch: u64) {
        self.runs.remove(&epoch);
    }
}
