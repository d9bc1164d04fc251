//! Opens a stored run: acquires its lease, then recovers it from its journal.

use std::{
    mem,
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::{CallKey, HistoryEntry, ResumeOptions};
use cot_model::{BoxFuture, TraceContext};
use cot_store::{
    CancelRequest, EndKind, Lease, ParseRunIdError, Record, RunId, RunSubmitted, RunSummary,
    Status, Store, StoreError, internal::RecoveredRun,
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
    opened: Opening,
}

/// Opens a run, and returns it with the request to cancel it, if there is one.
type Opening = BoxFuture<'static, Result<(OpenedRun, Option<CancelRequest>), StoreError>>;

/// Stores the description of the process, the first time that a runner opens a run.
type Describe = Option<BoxFuture<'static, ()>>;

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
    /// The trace in which the run started, if it is traced.
    pub(crate) begun_in: Option<TraceContext>,
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

/// What is done beside opening a run.
pub(crate) struct OpenOptions {
    pub(crate) describe: Describe,
    /// Whether the trace of a run is read that began earlier.
    pub(crate) is_traced: bool,
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
        OpenOptions { describe, is_traced }: OpenOptions,
    ) -> Result<Self, ParseRunIdError> {
        let retries_halted = options.retries_halted();
        let (run, is_new, has_to_exist) = match target {
            RunTarget::OpenOrCreate(run) => (run, false, false),
            RunTarget::Existing(run) => (run, false, true),
            RunTarget::New => (generate_run_id(), true, false),
        };
        let (shared, id) = (Arc::clone(store), run.clone());
        let opened = Box::pin(async move {
            let opened = if is_new {
                (OpenedRun::New(shared.acquire(&id).await?), None)
            } else {
                open_run(&*shared, &id, (retries_halted, is_traced)).await?
            };
            if has_to_exist && matches!(opened.0, OpenedRun::New(_)) {
                return Err(StoreError::UnknownRun { run: id });
            }
            if let Some(describe) = describe {
                describe.await;
            }
            Ok(opened)
        });
        Ok(Self::opening(store, run, opened))
    }

    /// Prepares to open a run that a worker has claimed.
    pub(crate) fn claimed(
        store: &Arc<dyn Store>,
        lease: Lease,
        summary: RunSummary,
        supervision: Arc<Supervision>,
        OpenOptions { describe, is_traced }: OpenOptions,
    ) -> Self {
        let (shared, run) = (Arc::clone(store), lease.run().clone());
        let opened = Box::pin(async move {
            if let Some(describe) = describe {
                describe.await;
            }
            let RunSummary { is_answered, cancel_requested, .. } = summary;
            let lookup = (is_answered, is_traced);
            let opened = recover(&*shared, lease.run().clone(), Some(lease), lookup).await?;
            Ok((opened, cancel_requested))
        });
        Self { supervision: Some(supervision), ..Self::opening(store, run, opened) }
    }

    fn opening(store: &Arc<dyn Store>, run: RunId, opened: Opening) -> Self {
        Self { store: Arc::clone(store), run, entries: Vec::new(), supervision: None, opened }
    }

    /// Takes the history entries that were added meanwhile, and the worker that drives the run.
    pub(crate) fn take_parts(&mut self) -> (Vec<HistoryEntry>, Option<Arc<Supervision>>) {
        (mem::take(&mut self.entries), self.supervision.take())
    }

    pub(crate) fn poll(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(OpenedRun, Option<CancelRequest>), StoreError>> {
        self.opened.as_mut().poll(cx)
    }
}

async fn open_run(
    store: &dyn Store,
    run: &RunId,
    (retries_halted, is_traced): (bool, bool),
) -> Result<(OpenedRun, Option<CancelRequest>), StoreError> {
    let mut summary = store.run(run).await?;
    let is_answered = summary.as_ref().is_some_and(|summary| summary.is_answered);
    let cancel = summary.as_mut().and_then(|summary| summary.cancel_requested.take());
    let is_over = summary.is_some_and(|summary| match summary.status {
        Status::Ended { how: EndKind::Halted, .. } => !retries_halted,
        status => status.is_ended(),
    });
    // Nothing will be written to a run that has ended, so it needs no lease.
    let lease = if is_over { None } else { Some(store.acquire(run).await?) };
    Ok((recover(store, run.clone(), lease, (is_answered, is_traced)).await?, cancel))
}

async fn recover(
    store: &dyn Store,
    run: RunId,
    lease: Option<Lease>,
    (is_answered, is_traced): (bool, bool),
) -> Result<OpenedRun, StoreError> {
    if let Some(recovered) = RecoveredRun::load(store, &run, None).await? {
        let begun_in = if is_traced { begun_in(store, &run).await } else { None };
        let existing = ExistingRun { lease, recovered, begun_in, is_answered };
        return Ok(OpenedRun::Existing(Box::new(existing)));
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

/// Reads the trace in which a run started. A failure is that of the journal, which is read anyway.
async fn begun_in(store: &dyn Store, run: &RunId) -> Option<TraceContext> {
    let first = store.entries(run, 0, 2).await.ok()?;
    first.into_iter().find_map(|entry| match entry.record {
        Record::Begun(begun) => begun.trace,
        _ => None,
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
