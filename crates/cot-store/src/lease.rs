//! Who may add to a run.

use std::{any::Any, fmt};

use crate::run_id::RunId;

/// The right to drive a run. Dropping it gives it back.
pub struct Lease {
    run: RunId,
    epoch: u64,
    /// What gives the lease back when it is dropped.
    guard: Box<dyn Any + Send + Sync>,
}

impl Lease {
    /// A lease that a store gives out. The epoch is another one each time the run changes hands; `guard` is
    /// dropped with the lease.
    #[must_use]
    pub fn new(run: RunId, epoch: u64, guard: impl Any + Send + Sync) -> Self {
        Self { run, epoch, guard: Box::new(guard) }
    }

    /// The run.
    #[must_use]
    pub const fn run(&self) -> &RunId {
        &self.run
    }

    /// Which of the leases of this run it is.
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
