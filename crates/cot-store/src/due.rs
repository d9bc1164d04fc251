//! Runs that need a driver.

use std::{collections::HashMap, sync::Arc, time::SystemTime};

use crate::run_id::RunId;

/// Selects runs that need a driver, for [`Store::due`](crate::Store::due).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DueFilter {
    /// Only the runs of these processes.
    pub processes: Vec<String>,
    /// The present time: of waiting runs, only those whose time has come.
    pub now: SystemTime,
    /// Only runs with fewer [crashes](DueRun::crashes), if set.
    pub crashes_below: Option<u32>,
    /// Runs to leave out as long as their journal has this many entries.
    pub skip: Arc<HashMap<RunId, u64>>,
    /// The maximum number of runs.
    pub limit: usize,
}

impl DueFilter {
    /// Creates a filter for at most `limit` runs of these processes.
    #[must_use]
    pub fn new(processes: Vec<String>, now: SystemTime, limit: usize) -> Self {
        Self { processes, now, crashes_below: None, skip: Arc::default(), limit }
    }

    /// Returns whether the filter matches a due run, whatever its process.
    #[must_use]
    pub fn matches(&self, run: &DueRun) -> bool {
        self.crashes_below.is_none_or(|limit| run.crashes < limit)
            && self.skip.get(&run.run).is_none_or(|entries| *entries != run.entries)
    }
}

/// A run that needs a driver.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DueRun {
    /// The name of the run.
    pub run: RunId,
    /// The name of the process.
    pub process: String,
    /// The number of entries of the journal.
    pub entries: u64,
    /// How many programs have died while they drove the run at this entry of its journal, one after the
    /// other.
    pub crashes: u32,
}

impl DueRun {
    /// Creates a due run.
    #[must_use]
    pub const fn new(run: RunId, process: String, entries: u64, crashes: u32) -> Self {
        Self { run, process, entries, crashes }
    }
}
