//! Opens a stored run: acquires its lease, then recovers it from its journal.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::{HistoryEntry, ResumeOptions};
use cot_model::BoxFuture;
use cot_store::{
    EndKind, Lease, ParseRunIdError, RunId, Status, Store, StoreError, internal::RecoveredRun,
};

use crate::clock;

/// A stored run that is being opened.
pub(crate) struct OpenRun {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) run: RunId,
    /// The history entries that were added meanwhile.
    pub(crate) entries: Vec<HistoryEntry>,
    opened: BoxFuture<'static, Result<OpenedRun, StoreError>>,
}

/// The result of opening a run.
pub(crate) enum OpenedRun {
    /// The run does not exist and starts now.
    New(Lease),
    /// The run exists. It has no lease if it has ended, since nothing will be written.
    Existing(Option<Lease>, Box<RecoveredRun>),
}

/// The run to open.
#[derive(Debug, Clone)]
pub(crate) enum RunTarget {
    /// The run of this name, which starts if it does not exist.
    OpenOrCreate(RunId),
    /// The run of this name, which must exist.
    Existing(RunId),
    /// A new run with a generated name.
    New,
}

impl OpenRun {
    /// Prepares to open a run. The store is accessed at the first poll.
    pub(crate) fn new(
        store: &Arc<dyn Store>,
        target: RunTarget,
        options: &ResumeOptions,
    ) -> Result<Self, ParseRunIdError> {
        let retries_halted = options.retries_halted();
        let (run, is_new, has_to_exist) = match target {
            RunTarget::OpenOrCreate(run) => (run, false, false),
            RunTarget::Existing(run) => (run, false, true),
            RunTarget::New => (generate_run_id(), true, false),
        };
        let (shared, id) = (Arc::clone(store), run.clone());
        let opened = Box::pin(async move {
            if is_new {
                return shared.acquire(&id).await.map(OpenedRun::New);
            }
            match open_run(&*shared, &id, retries_halted).await? {
                OpenedRun::New(_) if has_to_exist => Err(StoreError::UnknownRun { run: id }),
                opened => Ok(opened),
            }
        });
        Ok(Self { store: Arc::clone(store), run, entries: Vec::new(), opened })
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<OpenedRun, StoreError>> {
        self.opened.as_mut().poll(cx)
    }
}

async fn open_run(
    store: &dyn Store,
    run: &RunId,
    retries_halted: bool,
) -> Result<OpenedRun, StoreError> {
    let summary = store.run(run).await?;
    let is_over = summary.is_some_and(|summary| match summary.status {
        Status::Ended { how: EndKind::Halted, .. } => !retries_halted,
        status => status.is_ended(),
    });
    // Nothing will be written to a run that has ended, so it needs no lease.
    let lease = if is_over { None } else { Some(store.acquire(run).await?) };
    match (RecoveredRun::load(store, run, None).await?, lease) {
        (Some(recovered), lease) => Ok(OpenedRun::Existing(lease, Box::new(recovered))),
        (None, Some(lease)) => Ok(OpenedRun::New(lease)),
        // The run was deleted meanwhile.
        (None, None) => Ok(OpenedRun::New(store.acquire(run).await?)),
    }
}

/// Generates a unique name of the time and a random number.
pub(crate) fn generate_run_id() -> RunId {
    RunId::fresh(clock::now(), fastrand::u64(..))
}
