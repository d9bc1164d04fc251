//! The lease of a run: the exclusive right to append to its journal.

use std::{any::Any, fmt};

use crate::run_id::RunId;

/// The exclusive right of a driver to append to a run. Dropping it releases the run.
pub struct Lease {
    run: RunId,
    epoch: u64,
    crashes: u32,
    /// Releases the run when it is dropped.
    guard: Box<dyn Any + Send + Sync>,
}

impl Lease {
    /// Creates a lease. The store gives each lease of a run a different `epoch`, and passes as `guard` a
    /// value that releases the run when it is dropped.
    #[must_use]
    pub fn new(run: RunId, epoch: u64, guard: impl Any + Send + Sync) -> Self {
        Self { run, epoch, crashes: 0, guard: Box::new(guard) }
    }

    /// Sets the number of crashes.
    #[must_use]
    pub const fn with_crashes(mut self, crashes: u32) -> Self {
        self.crashes = crashes;
        self
    }

    /// Returns the run that is leased.
    #[must_use]
    pub const fn run(&self) -> &RunId {
        &self.run
    }

    /// Returns how many programs have died while they held a lease of the run, one after the other, since its
    /// journal has grown or a lease was released. A store of one program counts none.
    #[must_use]
    pub const fn crashes(&self) -> u32 {
        self.crashes
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
            .field("crashes", &self.crashes)
            .finish_non_exhaustive()
    }
}
