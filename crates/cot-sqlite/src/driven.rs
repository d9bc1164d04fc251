//! What the writer knows of the runs that are driven through it, so that it need not read that for each entry.

use std::collections::HashMap;

use cot_core::store::{RunId, RunSummary};

use crate::prompt::RunTexts;

/// The runs that were added to last, by the epochs of their leases. Whoever is in here holds the lease.
#[derive(Debug, Default)]
pub(crate) struct Driven {
    runs: HashMap<u64, DrivenRun>,
}

/// A run as the database has it.
#[derive(Debug)]
pub(crate) struct DrivenRun {
    /// Its number in the database.
    pub(crate) id: i64,
    pub(crate) summary: RunSummary,
    /// How many entries it had when its row was written last.
    pub(crate) saved: u64,
    pub(crate) texts: RunTexts,
}

impl DrivenRun {
    pub(crate) fn new(id: i64, summary: RunSummary) -> Self {
        Self { id, saved: summary.entries, summary, texts: RunTexts::default() }
    }
}

/// More runs than this are not remembered.
const MOST: usize = 1024;

impl Driven {
    /// The run, to be put back once something was added to it: if that fails, nothing is known of it.
    pub(crate) fn take(&mut self, epoch: u64, run: &RunId) -> Option<DrivenRun> {
        self.runs.remove(&epoch).filter(|known| known.summary.run == *run)
    }

    pub(crate) fn put(&mut self, epoch: u64, run: DrivenRun) {
        if self.runs.len() >= MOST {
            self.forget();
        }
        self.runs.insert(epoch, run);
    }

    /// Forgets all, as what was written is undone, or somebody else has written.
    pub(crate) fn forget(&mut self) {
        self.runs.clear();
    }

    /// Forgets a run that somebody takes anew.
    pub(crate) fn forget_run(&mut self, run: &RunId) {
        self.runs.retain(|_, known| known.summary.run != *run);
    }

    /// Forgets a run whose lease is given back.
    pub(crate) fn forget_lease(&mut self, epoch: u64) {
        self.runs.remove(&epoch);
    }
}
