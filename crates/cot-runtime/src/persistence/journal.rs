//! Writes the journal of a stored run.
//!
//! Two rules: an event from outside is durable before the machine processes it, and the position of the
//! machine is recorded when a task has ended and before each long wait. A step that nothing has to wait for
//! is written together with the next event, or while its call is in flight.

use std::{
    mem,
    sync::Arc,
    task::{Context, Poll, ready},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use cot_engine::{
    Action, CallId, CallKey, Event, Machine, MachinePoll, Process, RunEvent, SnapshotError, TaskId,
};
use cot_model::BoxFuture;
use cot_store::{
    Begun, EventRecord, Lease, Record, RunId, Status, StepRecord, Store, StoreError,
    internal::Written,
};
use serde_json::{Value, value::RawValue};

use crate::{
    clock,
    persistence::standing,
    runner::{error::RunError, handle::Told, state_change::Acknowledgement},
};

/// The minimum remaining time of a question in a resumed run: an answer in time may still have to be read.
const GRACE: Duration = Duration::from_secs(1);

/// The time since 1970 that represents times beyond the range of clocks and stores.
const NEVER: Duration = Duration::from_millis(1 << 62);

/// Writes the journal of one run.
pub(crate) struct Journal {
    pub(super) store: Arc<dyn Store>,
    pub(super) run: RunId,
    /// The lease of the run; `None` once the run has ended.
    pub(super) lease: Option<Arc<Lease>>,
    pub(super) written: Written,
    /// The run events since the last step.
    pub(super) notes: Vec<RunEvent>,
    /// Whether a step must be recorded as soon as possible.
    pub(super) is_due: bool,
    /// The records that are not yet being written.
    pub(super) pending: Vec<Record>,
    /// The write in progress.
    pub(super) writing: Option<BoxFuture<'static, Result<(), StoreError>>>,
    /// Whether the run waits until all records are durable.
    pub(super) is_barrier: bool,
    /// Whether the end of the run has been recorded.
    pub(super) has_ended: bool,
    /// The events to submit to the machine once they are durable.
    pub(super) events: Vec<Logged>,
    /// The acknowledgements of state changes, sent once these are durable.
    pub(super) unacknowledged: Vec<Acknowledgement>,
    /// The long wait that is recorded, if the run is in one.
    pub(super) wait: Option<Wait>,
    /// The future of an answer from the store.
    pub(super) answer: Option<BoxFuture<'static, Result<Value, StoreError>>>,
}

/// An event that is being written, and the acknowledgement of the answer that caused it.
pub(crate) type Logged = (Event, Option<Told>);

/// A long wait of a run: for a person or a timer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    pub(super) id: CallId,
    pub(super) since: SystemTime,
    pub(super) until: Option<SystemTime>,
    /// Whether the wait started in an earlier driver.
    pub(super) is_resumed: bool,
}

/// The position of a run, as it is recorded.
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time, which a box would allocate for each wait"
)]
pub(crate) enum Position {
    /// A task runs models or functions.
    Works,
    /// The run is in a long wait. The flag says whether the wait starts now.
    Waits(Status, bool),
    /// The run has ended.
    Ended,
}

/// Constructors.
impl Journal {
    /// Creates the journal of a new run, with the record of its start.
    pub(crate) fn begin<P: Process>(
        store: Arc<dyn Store>,
        lease: Lease,
        machine: &Machine<P>,
    ) -> Result<Self, SnapshotError> {
        let snapshot = text(machine)?;
        let begun = Begun {
            at: clock::now(),
            process: P::DEFINITION.about.name.to_owned(),
            origin: None,
            snapshot: RawValue::from_string(snapshot.clone())
                .map_err(SnapshotError::NotASnapshot)?,
            status: standing::running(machine),
        };
        let run = lease.run().clone();
        let mut journal = Self::new(store, run, Some(lease), Written::new(snapshot, 0));
        journal.pending.push(Record::Begun(begun));
        journal.is_barrier = true;
        Ok(journal)
    }

    pub(crate) fn new(
        store: Arc<dyn Store>,
        run: RunId,
        lease: Option<Lease>,
        written: Written,
    ) -> Self {
        Self {
            store,
            run,
            lease: lease.map(Arc::new),
            written,
            notes: Vec::new(),
            is_due: false,
            pending: Vec::new(),
            writing: None,
            is_barrier: false,
            has_ended: false,
            events: Vec::new(),
            unacknowledged: Vec::new(),
            wait: None,
            answer: None,
        }
    }
}

/// Recording.
impl Journal {
    pub(crate) const fn run(&self) -> &RunId {
        &self.run
    }

    /// Records a run event for the next step. A commit makes a step due.
    pub(crate) fn note<T: TaskId, O>(&mut self, event: &RunEvent<T, O>) {
        if let Some(note) = event.to_journaled() {
            self.is_due |= note.is_commit();
            self.notes.push(note);
        }
    }

    /// Makes a step due.
    pub(crate) const fn make_due(&mut self) {
        self.is_due = true;
    }

    /// Records an event from outside; the machine processes it once it is durable.
    pub(crate) fn log<P: Process>(
        &mut self,
        machine: &mut Machine<P>,
        event: Event,
        told: Option<Told>,
    ) {
        let directives = machine.poll_only(event.id()).directives();
        let asked = event.id().and_then(|id| standing::asked(directives, id));
        let record = EventRecord { at: clock::now(), asked, event: event.clone() };
        self.pending.push(Record::Event(record));
        self.events.push((event, told));
        self.answer = None;
        self.is_barrier = true;
    }

    /// Records the position between two tasks.
    pub(crate) fn boundary<P: Process>(&mut self, machine: &Machine<P>) -> Result<(), RunError> {
        self.step(machine, standing::running(machine))
    }

    /// Records the position after a change of the state, which is acknowledged once it is durable.
    pub(crate) fn change<P: Process>(
        &mut self,
        machine: &Machine<P>,
        acknowledgement: Acknowledgement,
    ) -> Result<(), RunError> {
        self.is_barrier = true;
        self.unacknowledged.push(acknowledgement);
        self.boundary(machine)
    }

    /// Returns the position of a run with these directives.
    pub(crate) fn position<T: TaskId, O>(&mut self, poll: &MachinePoll<'_, T, O>) -> Position {
        if matches!(poll, MachinePoll::Finished(_)) {
            return Position::Ended;
        }
        let Some(directive) = poll.directives().first() else { return Position::Works };
        match &directive.action {
            Action::AskHuman(question) => {
                let limit = directive.timeout;
                let until = |now| limit.and_then(|limit| SystemTime::checked_add(&now, limit));
                let (wait, is_new) = self.waits(directive.id, until);
                let status = standing::asking(directive, question, wait.since, wait.until);
                Position::Waits(status, is_new)
            }
            Action::Sleep { duration, jitter } => {
                let never = UNIX_EPOCH.checked_add(NEVER);
                let longest = duration.saturating_add(*jitter);
                let until = |now| SystemTime::checked_add(&now, longest).or(never);
                let (wait, is_new) = self.waits(directive.id, until);
                let task = directive.task.name().to_owned();
                let until = wait.until.unwrap_or(wait.since);
                Position::Waits(Status::Sleeping { task, until }, is_new)
            }
            Action::CallModel(_) | Action::RunFunction(_) => Position::Works,
        }
    }

    /// Records the position if a step is due or the wait is new. Returns whether it must be durable before
    /// the directives are dispatched.
    pub(crate) fn record_position<P: Process>(
        &mut self,
        machine: &Machine<P>,
        position: Position,
    ) -> Result<bool, RunError> {
        let (status, has_to_wait) = match position {
            Position::Waits(status, is_new) => (status, is_new),
            Position::Ended => match standing::ended(machine) {
                Some(status) if !mem::replace(&mut self.has_ended, true) => (status, true),
                _ => return Ok(false),
            },
            Position::Works => {
                self.wait = None;
                let status = standing::running(machine);
                self.has_gone_on_to(&status);
                (status, false)
            }
        };
        if has_to_wait || self.is_due {
            self.is_barrier |= has_to_wait;
            self.step(machine, status)?;
        }
        Ok(has_to_wait)
    }

    /// Returns the wait with this id, and whether it starts now.
    fn waits(
        &mut self,
        id: CallId,
        until: impl FnOnce(SystemTime) -> Option<SystemTime>,
    ) -> (Wait, bool) {
        if let Some(wait) = self.wait.filter(|wait| wait.id == id) {
            return (wait, false);
        }
        let since = clock::now();
        let wait = Wait { id, since, until: until(since), is_resumed: false };
        self.wait = Some(wait);
        (wait, true)
    }

    /// Replaces the status of the last pending step: gateways have led to another task since, and the status
    /// names the task that runs.
    fn has_gone_on_to(&mut self, status: &Status) {
        if let Some(Record::Step(step)) = self.pending.last_mut()
            && matches!(step.status, Status::Running { .. })
        {
            step.status.clone_from(status);
        }
    }

    fn step<P: Process>(&mut self, machine: &Machine<P>, status: Status) -> Result<(), RunError> {
        self.is_due = false;
        self.pending.push(Record::Step(StepRecord {
            at: clock::now(),
            progress: self.written.progress(text(machine)?),
            status,
            steps: machine.steps(),
            usage: machine.usage(),
            notes: mem::take(&mut self.notes),
        }));
        Ok(())
    }

    /// Returns whether the run waits for a write.
    pub(crate) const fn is_barrier(&self) -> bool {
        self.is_barrier
    }

    /// Returns whether a step is due.
    pub(crate) const fn is_due(&self) -> bool {
        self.is_due
    }

    /// Releases the lease: nothing more is written.
    pub(crate) fn close(&mut self) {
        self.lease = None;
    }
}

/// Waiting and writing.
impl Journal {
    /// Returns the remaining time of a wait that started in an earlier driver. It is at most `whole`, even
    /// if the clock was set back.
    pub(crate) fn left(&self, id: CallId, whole: Duration) -> Option<Duration> {
        let wait = self.wait.filter(|wait| wait.id == id && wait.is_resumed)?;
        Some(wait.until?.duration_since(clock::now()).unwrap_or_default().min(whole))
    }

    /// Returns the remaining time of a question that was asked in an earlier driver, at least [`GRACE`].
    pub(crate) fn left_for_person(&self, id: CallId, whole: Option<Duration>) -> Option<Duration> {
        self.left(id, whole.unwrap_or(Duration::MAX)).map(|left| left.max(GRACE))
    }

    /// Polls the store for an answer to a question.
    pub(crate) fn poll_answer(
        &mut self,
        key: &CallKey,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Value, StoreError>> {
        let answer = self.answer.get_or_insert_with(|| {
            let (store, run, key) = (Arc::clone(&self.store), self.run.clone(), key.clone());
            Box::pin(async move { store.answered(&run, &key).await })
        });
        let answer = ready!(answer.as_mut().poll(cx));
        self.answer = None;
        Poll::Ready(answer)
    }

    /// Polls the writes that the run waits for. Returns the events that are durable now.
    pub(crate) fn poll_ready(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Vec<Logged>, StoreError>> {
        while self.is_barrier {
            self.is_barrier = self.writing.is_some() || !self.pending.is_empty();
            ready!(self.poll_writing(cx))?;
        }
        for acknowledgement in self.unacknowledged.drain(..) {
            acknowledgement.send(Ok(()));
        }
        Poll::Ready(Ok(mem::take(&mut self.events)))
    }

    /// Starts or continues the remaining writes, while the run waits for something else.
    pub(crate) fn flush(&mut self, cx: &mut Context<'_>) -> Result<(), StoreError> {
        while self.writing.is_some() || !self.pending.is_empty() {
            match self.poll_writing(cx) {
                Poll::Ready(written) => written?,
                Poll::Pending => break,
            }
        }
        Ok(())
    }

    /// Continues the write in progress, or starts the next one.
    fn poll_writing(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StoreError>> {
        if self.writing.is_none() {
            self.writing = self.write();
        }
        if let Some(writing) = &mut self.writing {
            let written = ready!(writing.as_mut().poll(cx));
            self.writing = None;
            return Poll::Ready(written);
        }
        Poll::Ready(Ok(()))
    }

    fn write(&mut self) -> Option<BoxFuture<'static, Result<(), StoreError>>> {
        let records = mem::take(&mut self.pending);
        let lease = Arc::clone(self.lease.as_ref().filter(|_| !records.is_empty())?);
        let store = Arc::clone(&self.store);
        Some(Box::pin(async move { store.append(&lease, records).await }))
    }
}

pub(super) fn text<P: Process>(machine: &Machine<P>) -> Result<String, SnapshotError> {
    machine.snapshot()?.to_json().map_err(SnapshotError::UnwritableState)
}
