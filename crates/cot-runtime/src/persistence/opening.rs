//! The beginning of a run that a store keeps: who may drive it, and what is known of it.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::{HistoryEntry, ResumeOptions};
use cot_model::BoxFuture;
use cot_store::{BadRunId, Ended, Lease, RunId, Status, Store, StoreError, internal::Recovered};

use crate::clock;

/// A run of which is not yet known whether the store knows it.
pub(crate) struct Opening {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) run: RunId,
    /// What was added to the history meanwhile.
    pub(crate) entries: Vec<HistoryEntry>,
    found: BoxFuture<'static, Result<Found, StoreError>>,
}

/// What a store knows of a run.
pub(crate) enum Found {
    /// Nothing: it begins.
    New(Lease),
    /// There it is. Without a lease nothing can be added, nor need be, as the run is over.
    Known(Option<Lease>, Box<Recovered>),
}

/// Which run is meant.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// One that has this name, or gets it.
    Named(RunId),
    /// One of this name, which exists.
    Known(RunId),
    /// A new one.
    Fresh,
}

impl Opening {
    /// Nothing happens before it is polled.
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
    // Nothing will be added to it, so that any number may look.
    let lease = if is_over { None } else { Some(store.acquire(run).await?) };
    match (Recovered::load(store, run, None).await?, lease) {
        (Some(recovered), lease) => Ok(Found::Known(lease, Box::new(recovered))),
        (None, Some(lease)) => Ok(Found::New(lease)),
        // Forgotten meanwhile.
        (None, None) => Ok(Found::New(store.acquire(run).await?)),
    }
}

/// A name that no run has: when it was given, and chance.
pub(crate) fn fresh_id() -> RunId {
    RunId::fresh(clock::now(), fastrand::u64(..))
}
