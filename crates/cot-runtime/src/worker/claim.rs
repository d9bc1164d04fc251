//! Claims a run and drives it.

use std::sync::Arc;

use cot_store::{DueRun, Lease, RunId, RunSummary, SetAside, Status, Store, StoreError};

use crate::{
    clock,
    persistence::supervision::Supervision,
    runner::error::RunError,
    worker::{
        event::WorkerEvent,
        observers::Observers,
        process::{DriveEnd, ServedProcess},
    },
};

/// A due run, and what is needed to drive it.
pub(super) struct Claim {
    pub(super) due: DueRun,
    pub(super) store: Arc<dyn Store>,
    pub(super) process: Arc<dyn ServedProcess>,
    pub(super) supervision: Arc<Supervision>,
    pub(super) observers: Observers,
    pub(super) max_crashes: u32,
}

/// How a claim has ended.
#[derive(Debug)]
pub(super) enum ClaimEnd {
    /// The run was driven.
    Driven(DriveEnd),
    /// The run needs no driver any more.
    NotDue,
    /// The run was set aside, for this reason.
    SetAside(String),
}

impl Claim {
    /// Acquires the run and drives it.
    pub(super) async fn perform(self) -> Result<ClaimEnd, RunError> {
        let lease = self.store.acquire(&self.due.run).await?;
        let Some(summary) = self.due_summary().await? else { return Ok(ClaimEnd::NotDue) };
        let crashes = lease.crashes();
        if crashes >= self.max_crashes {
            return self.set_aside(&lease, &summary).await;
        }
        let RunSummary { run, process, .. } = &summary;
        let (run, process) = (run.clone(), process.clone());
        self.observers.notify(&WorkerEvent::Claimed { run, process, crashes });
        let driven = self.process.drive(&self.store, lease, summary, &self.supervision);
        driven.await.map(ClaimEnd::Driven)
    }

    /// Returns the summary of the run if it still needs a driver.
    async fn due_summary(&self) -> Result<Option<RunSummary>, StoreError> {
        let summary = self.store.run(&self.due.run).await?;
        Ok(summary.filter(is_due))
    }

    async fn set_aside(&self, lease: &Lease, run: &RunSummary) -> Result<ClaimEnd, RunError> {
        let (crashes, entries, status) = (lease.crashes(), run.entries, &run.status);
        let why = format!(
            "{crashes} programs died while they drove it from entry {entries} on: {status}"
        );
        self.store.set_aside(lease, SetAside::new(&*why, clock::now())).await?;
        Ok(ClaimEnd::SetAside(why))
    }
}

/// Returns whether a run needs a driver now. Only the end of a sleep or of a time limit is a time to wait for: all other
/// times say since when a driver is needed, by the clock of another program, which may be ahead.
fn is_due(run: &RunSummary) -> bool {
    let waits = match run.status {
        Status::Sleeping { .. } => true,
        Status::Asking { .. } => !run.is_answered,
        _ => false,
    };
    let waits = waits && run.cancel_requested.is_none();
    run.due_at().is_some_and(|due| !waits || due <= clock::now())
}

/// Sets a run aside that nobody drives.
pub(super) async fn set_aside(
    store: Arc<dyn Store>,
    run: RunId,
    why: String,
) -> Result<ClaimEnd, RunError> {
    let lease = store.acquire(&run).await?;
    store.set_aside(&lease, SetAside::new(&*why, clock::now())).await?;
    Ok(ClaimEnd::SetAside(why))
}
