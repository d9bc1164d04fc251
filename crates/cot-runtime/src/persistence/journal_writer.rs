//! Writes the journal of a stored run.
//!
//! Two rules: an event from outside is durable before the machine processes it, and the position of the
//! machine is recorded when a task has ended and before each long wait. A step that nothing has to wait for
//! is written together with the next event, or while its call is in flight.

use std::{
    mem,
    sync::Arc,
    task::{Context, Poll, ready},
};

use cot_engine::{
    CallKey, Event, RunEvent, SnapshotError,
    internal::{AnyMachine, Definition, IndexEvent},
};
use cot_model::{BoxFuture, TraceContext};
use cot_store::{
    CancelRequest, EventRecord, Lease, Record, RunId, RunStarted, Status, StepRecord, Store,
    StoreError, Transaction, internal::SnapshotEncoder,
};
use serde_json::{Value, value::RawValue};

use crate::{
    clock,
    driver::drafts::DraftBoard,
    persistence::{
        calls::begins_calls,
        cancel::CancelWatch,
        commit::Commit,
        drafts::DraftWrites,
        position::{Position, RecordedWait},
        snapshot::snapshot_json,
        status,
        supervision::Supervision,
        wait::Waits,
    },
    runner::{error::RunError, handle::AnswerAck, state_change::Acknowledgement},
    trace::span_ref::SpanRef,
};

/// Writes the journal of one run.
pub(crate) struct JournalWriter {
    pub(super) store: Arc<dyn Store>,
    pub(super) run: RunId,
    /// The lease of the run; `None` once the run has ended.
    pub(super) lease: Option<Arc<Lease>>,
    pub(super) encoder: SnapshotEncoder,
    /// The run events since the last step.
    pub(super) run_events: Vec<RunEvent>,
    /// Whether a step must be recorded as soon as possible.
    pub(super) is_due: bool,
    /// The records that are not yet being written.
    pub(super) pending: Vec<Record>,
    /// The write in progress.
    pub(super) write: Option<Commit>,
    /// The transaction in which the records that are not yet being written are committed, if it is that of a function.
    pub(super) transaction: Option<Box<dyn Transaction>>,
    /// Whether the run waits until all records are durable.
    pub(super) is_blocked: bool,
    /// Whether the machine has processed the result of a transaction that is not durable yet.
    pub(super) is_behind: bool,
    /// Whether the end of the run has been recorded.
    pub(super) has_ended: bool,
    /// The events to submit to the machine once they are durable.
    pub(super) unprocessed: Vec<DurableEvent>,
    /// The acknowledgements of state changes, sent once these are durable.
    pub(super) unacknowledged: Vec<Acknowledgement>,
    /// The long waits of the run.
    pub(super) waits: Waits,
    /// The wait that is recorded, if the run is in one.
    pub(super) recorded: RecordedWait,
    /// The future of an answer from the store.
    pub(super) stored_answer: Option<BoxFuture<'static, Result<Value, StoreError>>>,
    /// The question to which the store had an answer when the run was resumed, until it is read.
    pub(super) answered: Option<CallKey>,
    /// The request to cancel the run.
    pub(super) cancel: CancelWatch,
    /// The writes of the beginnings of replies.
    pub(super) drafts: DraftWrites,
    /// The worker that drives the run, if one does.
    pub(super) supervision: Option<Arc<Supervision>>,
    /// The span of the run, if an instrument follows it.
    pub(crate) span: Option<SpanRef>,
}

/// An event that is being written, and the acknowledgement of the answer that caused it.
pub(crate) type DurableEvent = (Event, Option<AnswerAck>);

/// Constructors.
impl JournalWriter {
    /// Creates the journal of a new run, with the record of its start.
    pub(crate) fn start(
        store: Arc<dyn Store>,
        lease: Lease,
        machine: &dyn AnyMachine,
        trace: Option<TraceContext>,
    ) -> Result<Self, SnapshotError> {
        let (snapshot, blobs) = snapshot_json(machine)?;
        let encoder = SnapshotEncoder::new(snapshot.clone(), 0).with_blobs(&blobs);
        let begun = RunStarted {
            at: clock::now(),
            process: machine.definition().about.name.to_owned(),
            origin: None,
            snapshot: RawValue::from_string(snapshot).map_err(SnapshotError::NotASnapshot)?,
            blobs,
            status: status::running_status(machine),
            trace,
        };
        let run = lease.run().clone();
        let mut journal = Self::new(store, run, Some(lease), encoder);
        journal.pending.push(Record::Begun(begun));
        journal.is_blocked = true;
        Ok(journal)
    }

    pub(crate) fn new(
        store: Arc<dyn Store>,
        run: RunId,
        lease: Option<Lease>,
        encoder: SnapshotEncoder,
    ) -> Self {
        Self {
            store,
            run,
            lease: lease.map(Arc::new),
            encoder,
            run_events: Vec::new(),
            is_due: false,
            pending: Vec::new(),
            write: None,
            transaction: None,
            is_blocked: false,
            is_behind: false,
            has_ended: false,
            unprocessed: Vec::new(),
            unacknowledged: Vec::new(),
            waits: Waits::default(),
            recorded: RecordedWait::None,
            stored_answer: None,
            answered: None,
            cancel: CancelWatch::default(),
            drafts: DraftWrites::default(),
            supervision: None,
            span: None,
        }
    }
}

/// Recording of events and positions.
impl JournalWriter {
    pub(crate) const fn run(&self) -> &RunId {
        &self.run
    }

    /// Records a run event for the next step. A commit makes a step due, and so does a round of calls that the state
    /// holds.
    pub(crate) fn record_run_event(&mut self, event: &IndexEvent, process: &'static Definition) {
        if let Some(note) = event.to_journaled(process) {
            self.is_due |= note.is_commit() || begins_calls(&note, process);
            self.run_events.push(note);
        }
    }

    /// Makes a step due.
    pub(crate) const fn schedule_step(&mut self) {
        self.is_due = true;
    }

    /// Records an event from outside; the machine processes it once it is durable.
    pub(crate) fn record_event(
        &mut self,
        machine: &mut dyn AnyMachine,
        event: Event,
        ack: Option<AnswerAck>,
    ) {
        self.push_event(machine, &event);
        self.unprocessed.push((event, ack));
        self.is_blocked = true;
    }

    pub(super) fn push_event(&mut self, machine: &mut dyn AnyMachine, event: &Event) {
        let asked = event.id().and_then(|id| status::call_info(machine, id));
        let question = self.waits.question().map(|(id, _)| id);
        let event_ends_question =
            event.id().is_none() || question.is_none() || event.id() == question;
        let record = EventRecord { at: clock::now(), asked, event: event.clone() };
        self.pending.push(Record::Event(record));
        if event_ends_question {
            (self.stored_answer, self.answered) = (None, None);
        }
    }

    /// Records the position between two tasks.
    pub(crate) fn record_boundary(&mut self, machine: &dyn AnyMachine) -> Result<(), RunError> {
        (self.waits, self.recorded) = (Waits::default(), RecordedWait::None);
        self.record_step(machine, status::running_status(machine))
    }

    /// Records the position after a change of the state, which is acknowledged once it is durable.
    pub(crate) fn record_state_change(
        &mut self,
        machine: &dyn AnyMachine,
        acknowledgement: Acknowledgement,
    ) -> Result<(), RunError> {
        self.is_blocked = true;
        self.unacknowledged.push(acknowledgement);
        self.record_boundary(machine)
    }

    /// Records the position if a step is due or the wait is new. Returns whether it must be durable before
    /// the directives are dispatched.
    pub(crate) fn record_position(
        &mut self,
        machine: &dyn AnyMachine,
        position: Position,
    ) -> Result<bool, RunError> {
        let (status, must_wait) = match position {
            Position::Waiting(status, is_new) => (status, is_new),
            Position::Ended => match status::ended_status(machine) {
                Some(status) if !mem::replace(&mut self.has_ended, true) => (status, true),
                _ => return Ok(false),
            },
            Position::Running => {
                let status = status::running_status(machine);
                self.replace_last_status(&status);
                (status, false)
            }
        };
        if must_wait || self.is_due {
            self.is_blocked |= must_wait;
            self.record_step(machine, status)?;
        }
        Ok(must_wait)
    }

    /// Replaces the status of the last pending step: gateways have led to another task since, and the status
    /// names the task that runs.
    fn replace_last_status(&mut self, status: &Status) {
        if let Some(Record::Step(step)) = self.pending.last_mut()
            && matches!(step.status, Status::Running { .. })
        {
            step.status.clone_from(status);
        }
    }

    fn record_step(&mut self, machine: &dyn AnyMachine, status: Status) -> Result<(), RunError> {
        self.is_due = false;
        let (snapshot, blobs) = snapshot_json(machine)?;
        let is_in_status =
            matches!(status, Status::Sleeping { .. }) && self.waits.timers().len() == 1;
        let timers = if is_in_status { Vec::new() } else { self.waits.to_timers() };
        let notes = mem::take(&mut self.run_events);
        self.pending.push(Record::Step(StepRecord {
            at: clock::now(),
            blobs: self.encoder.filter_new_blobs(&blobs),
            progress: self.encoder.encode(snapshot, &notes),
            status,
            timers,
            steps: machine.steps(),
            usage: machine.usage(),
            notes,
        }));
        Ok(())
    }

    /// Returns whether the run waits for a write.
    pub(crate) const fn is_blocked(&self) -> bool {
        self.is_blocked
    }

    /// Returns whether a step is due.
    pub(crate) const fn is_due(&self) -> bool {
        self.is_due
    }

    /// Releases the lease: nothing more is written.
    pub(crate) fn close(&mut self) {
        self.lease = None;
        (self.cancel, self.drafts) = (CancelWatch::Over, DraftWrites::default());
    }
}

/// Waits, and the writes to the store.
impl JournalWriter {
    /// Polls the store for an answer to a question.
    pub(crate) fn poll_answer(
        &mut self,
        key: &CallKey,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Value, StoreError>> {
        let answer = self.stored_answer.get_or_insert_with(|| {
            let (store, run, key) = (Arc::clone(&self.store), self.run.clone(), key.clone());
            Box::pin(async move { store.wait_for_answer(&run, &key).await })
        });
        let answer = ready!(answer.as_mut().poll(cx));
        self.stored_answer = None;
        Poll::Ready(answer)
    }

    /// Polls for a request to cancel the run, and returns it once.
    pub(crate) fn poll_cancel(&mut self, cx: &mut Context<'_>) -> Poll<CancelRequest> {
        self.cancel.poll(&self.store, &self.run, cx)
    }

    /// Starts or continues the write of the drafts that have changed, while the run waits for something else. The
    /// run does not depend on it, so an error is ignored.
    pub(crate) fn poll_drafts(&mut self, board: &DraftBoard, cx: &mut Context<'_>) {
        self.drafts.poll(&self.store, self.lease.as_ref(), board, cx);
    }

    /// Polls the writes that the run waits for. Returns the events that are durable now.
    pub(crate) fn poll_durable(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Vec<DurableEvent>, StoreError>> {
        while self.is_blocked {
            self.is_blocked = self.write.is_some() || !self.pending.is_empty();
            ready!(self.poll_write(cx))?;
        }
        self.is_behind = false;
        for acknowledgement in self.unacknowledged.drain(..) {
            acknowledgement.send(Ok(()));
        }
        Poll::Ready(Ok(mem::take(&mut self.unprocessed)))
    }

    /// Starts or continues the remaining writes, while the run waits for something else.
    pub(crate) fn flush(&mut self, cx: &mut Context<'_>) -> Result<(), StoreError> {
        while self.write.is_some() || !self.pending.is_empty() {
            match self.poll_write(cx) {
                Poll::Ready(written) => written?,
                Poll::Pending => break,
            }
        }
        Ok(())
    }

    /// Continues the write in progress, or starts the next one.
    fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StoreError>> {
        if self.write.is_none() {
            self.write = self.start_write();
        }
        if let Some(write) = &mut self.write {
            let written = ready!(write.poll(cx));
            self.write = None;
            if let (Ok(()), Some(worker)) = (&written, &self.supervision) {
                worker.set_progressed();
            }
            return Poll::Ready(written);
        }
        Poll::Ready(Ok(()))
    }

    fn start_write(&mut self) -> Option<Commit> {
        let records = mem::take(&mut self.pending);
        let lease = self.lease.as_ref().filter(|_| !records.is_empty())?;
        let written = (self.transaction.take(), records);
        Some(Commit::new((&self.store, lease), written, self.span.as_ref()))
    }
}
