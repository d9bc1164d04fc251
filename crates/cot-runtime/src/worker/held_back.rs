//! The runs that a worker does not claim for the present.

use std::{collections::HashMap, sync::Arc, time::Duration};

use cot_store::RunId;

use crate::clock::Deadline;

/// The delay before the first retry; each further one doubles it.
const FIRST_DELAY: Duration = Duration::from_millis(250);

/// The limit on delays.
const MAX_DELAY: Duration = Duration::from_secs(30);

/// Above this number of runs, all of them are tried again, so that the memory is bounded.
const MAX_RUNS: usize = 100_000;

/// Returns the delay before the next retry, after this many failures in a row.
pub(super) fn retry_delay(failures: u32) -> Duration {
    let factor = 2_u32.saturating_pow(failures.saturating_sub(1));
    FIRST_DELAY.saturating_mul(factor).min(MAX_DELAY)
}

/// The runs that a worker does not claim for the present: those of other versions of the program, until their
/// journals grow, and those that have failed, for some time.
#[derive(Debug, Default)]
pub(super) struct HeldBack {
    /// All of them, with the number of their entries.
    entries: Arc<HashMap<RunId, u64>>,
    failed: HashMap<RunId, Failures>,
}

#[derive(Debug)]
struct Failures {
    /// The number of entries when the run failed.
    entries: u64,
    count: u32,
    /// When the run is tried again; `None` while it is being tried.
    retry_at: Option<Deadline>,
}

impl HeldBack {
    /// Returns the runs to skip now, with the number of their entries. Those whose time has come are not among
    /// them any more.
    pub(super) fn skipped_now(&mut self) -> Arc<HashMap<RunId, u64>> {
        for (run, failures) in &mut self.failed {
            if failures.retry_at.as_ref().is_some_and(Deadline::is_over) {
                failures.retry_at = None;
                Arc::make_mut(&mut self.entries).remove(run);
            }
        }
        Arc::clone(&self.entries)
    }

    /// Holds a run back until its journal grows.
    pub(super) fn hold(&mut self, run: RunId, entries: u64) {
        self.failed.remove(&run);
        self.insert(run, entries);
    }

    /// Counts the failures of a run at the same entry, with this one.
    pub(super) fn count_failure(&mut self, run: &RunId, entries: u64) -> u32 {
        let new = Failures { entries, count: 0, retry_at: None };
        let failures = self.failed.entry(run.clone()).or_insert(new);
        if failures.entries != entries {
            (failures.entries, failures.count) = (entries, 0);
        }
        failures.count += 1;
        failures.count
    }

    /// Holds a run that has failed back for some time.
    pub(super) fn delay(&mut self, run: RunId, delay: Duration) {
        if let Some(failures) = self.failed.get_mut(&run) {
            failures.retry_at = Some(Deadline::after(delay));
            let entries = failures.entries;
            self.insert(run, entries);
        }
    }

    /// Forgets a run that has made progress or was set aside.
    pub(super) fn forget(&mut self, run: &RunId) {
        self.failed.remove(run);
        if self.entries.contains_key(run) {
            Arc::make_mut(&mut self.entries).remove(run);
        }
    }

    /// Returns whether runs that have failed are to be tried again.
    pub(super) fn has_delayed(&self) -> bool {
        self.failed.values().any(|failures| failures.retry_at.is_some())
    }

    fn insert(&mut self, run: RunId, entries: u64) {
        if self.entries.len() >= MAX_RUNS {
            self.entries = Arc::default();
            self.failed.clear();
        }
        Arc::make_mut(&mut self.entries).insert(run, entries);
    }
}
