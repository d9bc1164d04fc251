//! A cache of the runs that are driven through this store, so that an append need not read its run.

use std::collections::HashMap;

use cot_store::{RunId, RunSummary};

use crate::prompt::RunTexts;

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
    pub(crate) texts: RunTexts,
}

impl CachedRun {
    pub(crate) fn new(id: i64, summary: RunSummary) -> Self {
        Self { id, saved: summary.entries, summary, texts: RunTexts::default() }
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
