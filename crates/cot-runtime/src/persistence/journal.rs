//! The journal of a run that a store keeps, as its driver writes it.
//!
//! Two rules. What comes from outside is written before the machine hears of it. And where the machine stands
//! is written whenever a task is over, and before anybody waits for something long. A step that nobody has to
//! wait for is written together with the event after it, or while its call is under way.

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

/// How long a person has at least after a resumption: an answer that came in time may still have to be found.
const GRACE: Duration = Duration::from_secs(1);

/// Since 1970, for times beyond what clocks and stores can hold.
const NEVER: Duration = Duration::from_millis(1 << 62);

/// The journal of a run.
pub(crate) struct Journal {
    pub(super) store: Arc<dyn Store>,
    pub(super) run: RunId,
    /// The right to write; none any more, once the run is over.
    pub(super) lease: Option<Arc<Lease>>,
    pub(super) written: Written,
    /// What happened since the last step.
    pub(super) notes: Vec<RunEvent>,
    /// Whether a step is due as soon as possible.
    pub(super) is_due: bool,
    /// What is to be written next.
    pub(super) pending: Vec<Record>,
    /// What is being written.
    pub(super) writing: Option<BoxFuture<'static, Result<(), StoreError>>>,
    /// Whether the run waits until everything is written.
    pub(super) is_barrier: bool,
    /// Whether the end of the run is written.
    pub(super) has_ended: bool,
    /// What the machine is told once it is written.
    pub(super) events: Vec<Logged>,
    /// Changes of the state that are being written.
    pub(super) unacknowledged: Vec<Acknowledgement>,
    /// The waiting of which the journal tells.
    pub(super) wait: Option<Wait>,
    /// An answer that somebody leaves in the store.
    pub(super) answer: Option<BoxFuture<'static, Result<Value, StoreError>>>,
}

/// An event that is being written, and who wants to know what becomes of it.
pub(crate) type Logged = (Event, Option<Told>);

/// Something long that the run waits for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    pub(super) id: CallId,
    pub(super) since: SystemTime,
    pub(super) until: Option<SystemTime>,
    /// Whether it began in an earlier driver.
    pub(super) is_resumed: bool,
}

/// Where a run stands, as a journal tells it.
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time, which a box would allocate for each wait"
)]
pub(crate) enum Position {
    /// A task is at work.
    Works,
    /// The run waits for something long, and whether it begins to.
    Waits(Status, bool),
    /// The run is over.
    Ended,
}

/// The beginning.
impl Journal {
    /// The journal of a run that begins.
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

/// What is written.
impl Journal {
    pub(crate) const fn run(&self) -> &RunId {
        &self.run
    }

    /// Takes note of something that happened.
    pub(crate) fn note<T: TaskId, O>(&mut self, event: &RunEvent<T, O>) {
        if let Some(note) = event.to_journaled() {
            self.is_due |= note.is_commit();
            self.notes.push(note);
        }
    }

    /// Has the run written down soon, for what nobody notes.
    pub(crate) const fn make_due(&mut self) {
        self.is_due = true;
    }

    /// Writes down what happened outside; the machine is told then.
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

    /// Writes down where the run stands between two tasks.
    pub(crate) fn boundary<P: Process>(&mut self, machine: &Machine<P>) -> Result<(), RunError> {
        self.step(machine, standing::running(machine))
    }

    /// The same after a change of the state, which is acknowledged once it is written.
    pub(crate) fn change<P: Process>(
        &mut self,
        machine: &Machine<P>,
        acknowledgement: Acknowledgement,
    ) -> Result<(), RunError> {
        self.is_barrier = true;
        self.unacknowledged.push(acknowledgement);
        self.boundary(machine)
    }

    /// Where a run stands that waits for this.
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

    /// Writes down where the run stands, where that is due. Returns whether it has to be written before the
    /// directives of the run are followed.
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

    /// The waiting for what has this id, and whether it begins now.
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

    /// Gateways have led to a task since the last step was noted: people look for the task that works.
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

    /// Whether nothing may happen before something is written.
    pub(crate) const fn is_barrier(&self) -> bool {
        self.is_barrier
    }

    /// Whether a step is due that has not been made.
    pub(crate) const fn is_due(&self) -> bool {
        self.is_due
    }

    /// Nothing more is written.
    pub(crate) fn close(&mut self) {
        self.lease = None;
    }
}

/// What is waited for.
impl Journal {
    /// How much of a time has still to pass, of one that began to pass in an earlier driver. That is no more
    /// than the whole of it, even if the clock was set back.
    pub(crate) fn left(&self, id: CallId, whole: Duration) -> Option<Duration> {
        let wait = self.wait.filter(|wait| wait.id == id && wait.is_resumed)?;
        Some(wait.until?.duration_since(clock::now()).unwrap_or_default().min(whole))
    }

    /// The same for a person's time.
    pub(crate) fn left_for_person(&self, id: CallId, whole: Option<Duration>) -> Option<Duration> {
        self.left(id, whole.unwrap_or(Duration::MAX)).map(|left| left.max(GRACE))
    }

    /// The answer that somebody leaves in the store.
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

    /// Writes, until nothing is left that the run has to wait for. Gives what the machine is told now.
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

    /// Writes what is left, while the run waits for something else.
    pub(crate) fn flush(&mut self, cx: &mut Context<'_>) -> Result<(), StoreError> {
        while self.writing.is_some() || !self.pending.is_empty() {
            match self.poll_writing(cx) {
                Poll::Ready(written) => written?,
                Poll::Pending => break,
            }
        }
        Ok(())
    }

    /// Goes on with what is being written, or begins with what is to be written next.
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
