//! Opens a stored run: acquires its lease, then recovers it from its journal.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::{HistoryEntry, ResumeOptions};
use cot_model::BoxFuture;
use cot_store::{BadRunId, Ended, Lease, RunId, Status, Store, StoreError, internal::Recovered};

use crate::clock;

/// A stored run that is being opened.
pub(crate) struct Opening {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) run: RunId,
    /// The history entries that were added meanwhile.
    pub(crate) entries: Vec<HistoryEntry>,
    found: BoxFuture<'static, Result<Found, StoreError>>,
}

/// The result of opening a run.
pub(crate) enum Found {
    /// The run does not exist and starts now.
    New(Lease),
    /// The run exists. It has no lease if it has ended, since nothing will be written.
    Known(Option<Lease>, Box<Recovered>),
}

/// The run to open.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// The run of this name, which starts if it does not exist.
    Named(RunId),
    /// The run of this name, which must exist.
    Known(RunId),
    /// A new run with a generated name.
    Fresh,
}

impl Opening {
    /// Prepares to open a run. The store is accessed at the first poll.
    pub(crate) fn new(
        store: &Arc<dyn Store>,
        wanted: Wanted,
        options: &ResumeOptions,
    ) -> Result<Self, BadRunId> {
        let retries_halted = options.retries_halted();
        let (run, is_fresh, has_to_exist) = match wanted {
            Wanted::Named(run) => (run, false, false),
            Wanted::Known(run) => (run, false, true),
            Wanted::Fresh => (fresh_id(), true, false),
        };
        let (of, id) = (Arc::clone(store), run.clone());
        let found = Box::pin(async move {
            if is_fresh {
                return of.acquire(&id).await.map(Found::New);
            }
            match find(&*of, &id, retries_halted).await? {
                Found::New(_) if has_to_exist => Err(StoreError::UnknownRun { run: id }),
                found => Ok(found),
            }
        });
        Ok(Self { store: Arc::clone(store), run, entries: Vec::new(), found })
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<Found, StoreError>> {
        self.found.as_mut().poll(cx)
    }
}

async fn find(store: &dyn Store, run: &RunId, retries_halted: bool) -> Result<Found, StoreError> {
    let summary = store.run(run).await?;
    let is_over = summary.is_some_and(|summary| match summary.status {
        Status::Ended { how: Ended::Halted, .. } => !retries_halted,
        status => status.is_ended(),
    });
    // Nothing will be written to a run that has ended, so it needs no lease.
    let lease = if is_over { None } else { Some(store.acquire(run).await?) };
    match (Recovered::load(store, run, None).await?, lease) {
        (Some(recovered), lease) => Ok(Found::Known(lease, Box::new(recovered))),
        (None, Some(lease)) => Ok(Found::New(lease)),
        // The run was deleted meanwhile.
        (None, None) => Ok(Found::New(store.acquire(run).await?)),
    }
}

/// Generates a unique name of the time and a random number.
pub(crate) fn fresh_id() -> RunId {
    RunId::fresh(clock::now(), fastrand::u64(..))
}
