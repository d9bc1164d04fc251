//! Opens a stored run: acquires its lease, then recovers it from its journal.

use std::{
    mem,
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::{CallKey, HistoryEntry, ResumeOptions};
use cot_model::BoxFuture;
use cot_store::{
    EndKind, Lease, ParseRunIdError, Record, RunId, RunSubmitted, RunSummary, Status, Store,
    StoreError, internal::RecoveredRun,
};

use crate::{clock, persistence::supervision::Supervision};

/// A stored run that is being opened.
pub(crate) struct OpenRun {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) run: RunId,
    /// The history entries that were added meanwhile.
    pub(crate) entries: Vec<HistoryEntry>,
    /// The worker that drives the run, if one does.
    pub(crate) supervision: Option<Arc<Supervision>>,
    opened: BoxFuture<'static, Result<OpenedRun, StoreError>>,
}

/// The result of opening a run.
pub(crate) enum OpenedRun {
    /// The run does not exist and starts now.
    New(Lease),
    /// The run was submitted and starts now.
    Queued(Lease, Box<RunSubmitted>),
    /// The run has begun.
    Existing(Box<ExistingRun>),
}

/// A run that has begun earlier.
pub(crate) struct ExistingRun {
    /// The lease; `None` if the run has ended, since nothing will be written.
    pub(crate) lease: Option<Lease>,
    pub(crate) recovered: RecoveredRun,
    /// Whether its question had an answer in the store.
    is_answered: bool,
}

impl ExistingRun {
    /// Returns the key of the question that has an answer in the store.
    pub(crate) fn answered(&self) -> Option<&CallKey> {
        match &self.recovered.status {
            Status::Asking { key, .. } if self.is_answered => Some(key),
            _ => None,
        }
    }
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
        Ok(Self::opening(store, run, opened))
    }

    /// Prepares to open a run that a worker has claimed.
    pub(crate) fn claimed(
        store: &Arc<dyn Store>,
        lease: Lease,
        summary: RunSummary,
        supervision: Arc<Supervision>,
    ) -> Self {
        let (shared, run) = (Arc::clone(store), lease.run().clone());
        let opened = Box::pin(async move {
            recover(&*shared, lease.run().clone(), Some(lease), summary.is_answered).await
        });
        Self { supervision: Some(supervision), ..Self::opening(store, run, opened) }
    }

    fn opening(
        store: &Arc<dyn Store>,
        run: RunId,
        opened: BoxFuture<'static, Result<OpenedRun, StoreError>>,
    ) -> Self {
        Self { store: Arc::clone(store), run, entries: Vec::new(), supervision: None, opened }
    }

    /// Takes the history entries that were added meanwhile, and the worker that drives the run.
    pub(crate) fn take_parts(&mut self) -> (Vec<HistoryEntry>, Option<Arc<Supervision>>) {
        (mem::take(&mut self.entries), self.supervision.take())
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
    let is_answered = summary.as_ref().is_some_and(|summary| summary.is_answered);
    let is_over = summary.is_some_and(|summary| match summary.status {
        Status::Ended { how: EndKind::Halted, .. } => !retries_halted,
        status => status.is_ended(),
    });
    // Nothing will be written to a run that has ended, so it needs no lease.
    let lease = if is_over { None } else { Some(store.acquire(run).await?) };
    recover(store, run.clone(), lease, is_answered).await
}

async fn recover(
    store: &dyn Store,
    run: RunId,
    lease: Option<Lease>,
    is_answered: bool,
) -> Result<OpenedRun, StoreError> {
    if let Some(recovered) = RecoveredRun::load(store, &run, None).await? {
        return Ok(OpenedRun::Existing(Box::new(ExistingRun { lease, recovered, is_answered })));
    }
    let lease = match lease {
        Some(lease) => lease,
        // The run was deleted meanwhile.
        None => store.acquire(&run).await?,
    };
    Ok(match submission(store, &run).await? {
        Some(submitted) => OpenedRun::Queued(lease, Box::new(submitted)),
        None => OpenedRun::New(lease),
    })
}

/// Reads the submission of a run that has not begun.
async fn submission(store: &dyn Store, run: &RunId) -> Result<Option<RunSubmitted>, StoreError> {
    let first = match store.entries(run, 0, 1).await {
        Err(StoreError::UnknownRun { .. }) => return Ok(None),
        entries => entries?.into_iter().next(),
    };
    Ok(match first.map(|entry| entry.record) {
        Some(Record::Submitted(submitted)) => Some(submitted),
        _ => None,
    })
}

/// Generates a unique name of the time and a random number.
pub(crate) fn generate_run_id() -> RunId {
    RunId::fresh(clock::now(), fastrand::u64(..))
}
