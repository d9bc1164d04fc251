//! The lease of a run: the exclusive right to append to its journal.

use std::{any::Any, fmt};

use crate::run_id::RunId;

/// The exclusive right of a driver to append to a run. Dropping it releases the run.
pub struct Lease {
    run: RunId,
    epoch: u64,
    /// Releases the run when it is dropped.
    guard: Box<dyn Any + Send + Sync>,
}

impl Lease {
    /// Creates a lease. The store gives each lease of a run a different `epoch`, and passes as `guard` a
    /// value that releases the run when it is dropped.
    #[must_use]
    pub fn new(run: RunId, epoch: u64, guard: impl Any + Send + Sync) -> Self {
        Self { run, epoch, guard: Box::new(guard) }
    }

    /// Returns the run that is leased.
    #[must_use]
    pub const fn run(&self) -> &RunId {
        &self.run
    }

    /// Returns the epoch, which tells this lease from all other leases of the run.
    #[must_use]
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = &self.guard;
        f.debug_struct("Lease")
            .field("run", &self.run)
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}
