//! The part of the driver that persists a run: no event is processed before it is durable.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    task::{Context, Poll, ready},
};

use cot_engine::{Event, FunctionError, HistoryEntry, Snapshot, internal::AnyMachine};
use cot_store::RunId;

use crate::{
    driver::{
        driver::{Driver, drop_calls},
        driver_trace::TraceStart,
        stream_events::StreamEvents,
    },
    persistence::{
        cancel::CancelWatch,
        journal_writer::{DurableEvent, JournalWriter},
        open_run::{ExistingRun, OpenedRun},
        persistence::Persistence,
        position::Position,
    },
    runner::{error::RunError, state_change::StateChange},
};

impl Driver {
    /// Drives a stored run. An error stops it.
    pub(crate) fn poll_persisted(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let polled = self.try_poll_persisted(cx);
        polled.unwrap_or_else(|error| {
            self.fail(error);
            Poll::Ready(())
        })
    }

    fn try_poll_persisted(&mut self, cx: &mut Context<'_>) -> Result<Poll<()>, RunError> {
        if let Persistence::Opening(opening) = &mut self.persistence {
            let Poll::Ready(opened) = opening.poll(cx) else { return Ok(Poll::Pending) };
            let (opened, cancel) = opened?;
            self.open(opened)?;
            if let (Persistence::Writing(journal), Some(request)) = (&mut self.persistence, cancel)
            {
                journal.cancel = CancelWatch::Requested(request);
            }
        }
        let Persistence::Writing(journal) = &mut self.persistence else {
            return Ok(Poll::Ready(()));
        };
        let Poll::Ready(events) = journal.poll_durable(cx) else { return Ok(Poll::Pending) };
        self.apply_durable_events(events?);
        self.record_due_position()?;
        if self.persistence.is_write_pending() || self.is_over {
            return Ok(Poll::Ready(()));
        }
        if self.stops_here() {
            return Ok(Poll::Ready(()));
        }
        if self.poll_cancel(cx).is_ready() {
            return Ok(Poll::Ready(()));
        }
        let done = self.poll_command(cx);
        if done.is_pending()
            && let Persistence::Writing(journal) = &mut self.persistence
        {
            // What is recorded during a transaction is committed with it.
            if !self.transactions.as_ref().is_some_and(|transactions| transactions.is_open()) {
                journal.flush(cx)?;
            }
            if let Some(drafts) = self.stream_events.as_deref().and_then(StreamEvents::drafts) {
                journal.poll_drafts(drafts, cx);
            }
            let question = self.question.as_ref().map(|open| &open.directive.key);
            let waits = journal.waits();
            if journal.may_park(question) && self.only_waits(waits) {
                self.end();
                return Ok(Poll::Ready(()));
            }
        }
        Ok(done)
    }

    /// Polls the store for a request to cancel the run, and applies it.
    fn poll_cancel(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Persistence::Writing(journal) = &mut self.persistence else { return Poll::Pending };
        if self.run.machine().ending().is_some() {
            return Poll::Pending;
        }
        let request = ready!(journal.poll_cancel(cx));
        self.cancel(request.reason);
        Poll::Ready(())
    }

    /// Ends the drive at a durable point if the worker shuts down and nothing is in flight. Returns whether
    /// the driver must be polled again for that.
    fn stops_here(&mut self) -> bool {
        let Persistence::Writing(journal) = &mut self.persistence else { return false };
        // A call that is announced would otherwise count as interrupted, although it was not made.
        let is_at_rest = self.in_flight.has_no_futures()
            && (self.question.is_none() || self.in_flight.is_concurrent())
            && self.announced.is_empty()
            && !self.transactions.as_ref().is_some_and(|transactions| transactions.is_open());
        if !journal.is_stopping() || !is_at_rest || self.run.machine().ending().is_some() {
            return false;
        }
        if !journal.must_write() {
            self.end();
        }
        true
    }

    /// Returns whether the run waits for nothing that this program does, but for persons and timers. `waits` is
    /// the number of directives that the journal knows as such.
    fn only_waits(&self, waits: usize) -> bool {
        let answers = self.config.responder.is_some() || self.config.replay.is_some();
        let is_all = self.run.machine().pending_calls() <= waits + self.in_flight.seen().held.len();
        is_all && (self.question.is_none() || !answers)
    }

    /// Starts or resumes the run, once the store has been read.
    fn open(&mut self, opened: OpenedRun) -> Result<(), RunError> {
        let Persistence::Opening(opening) = &mut self.persistence else { return Ok(()) };
        let (entries, supervision) = opening.take_parts();
        let (store, run) = (Arc::clone(&opening.store), opening.run.clone());
        let mut journal = match opened {
            OpenedRun::New(lease) => {
                add_entries(entries, self.run.machine_mut());
                self.trace.start(&self.config, &run, &TraceStart::Stored);
                let mut journal =
                    JournalWriter::start(store, lease, self.run.machine(), self.trace.context())?;
                journal.span = self.trace.root();
                self.persistence = Persistence::Writing(Box::new(journal));
                return Ok(());
            }
            OpenedRun::Queued(lease, submitted) => {
                self.trace.set_caller(submitted.trace.as_ref());
                catch_panic(&run, || self.run.begin(&self.config, *submitted))?;
                add_entries(entries, self.run.machine_mut());
                self.trace.start(&self.config, &run, &TraceStart::Stored);
                let mut journal =
                    JournalWriter::start(store, lease, self.run.machine(), self.trace.context())?;
                journal.span = self.trace.root();
                journal.supervision = supervision;
                self.persistence = Persistence::Writing(Box::new(journal));
                return Ok(());
            }
            OpenedRun::Existing(existing) => {
                let answered = existing.answered().cloned();
                let ExistingRun { lease, recovered, begun_in, .. } = *existing;
                let is_over = lease.is_none();
                let mut journal = catch_panic(&run, || {
                    let mut snapshot = Snapshot::from_json(&recovered.snapshot)?;
                    snapshot.add_blobs(recovered.blobs.clone());
                    snapshot.set_events(recovered.answers());
                    let (mut journal, place) = (None, (store, run.clone(), lease));
                    let replay = |machine: &mut dyn AnyMachine| {
                        journal = Some(JournalWriter::resume(place, recovered, machine)?);
                        Ok(())
                    };
                    self.run.resume(&self.config, snapshot, Box::new(replay))?;
                    // Without an error, `replay` was called.
                    journal.ok_or(RunError::NotStarted)
                })?;
                (journal.supervision, journal.answered) = (supervision, answered);
                if !is_over {
                    let start = TraceStart::Resumed { begun_in: begun_in.as_ref() };
                    self.trace.start(&self.config, &run, &start);
                    journal.span = self.trace.root();
                }
                journal
            }
        };
        if !entries.is_empty() {
            add_entries(entries, self.run.machine_mut());
            journal.schedule_step();
        }
        self.persistence = Persistence::Writing(Box::new(journal));
        Ok(())
    }

    /// Submits durable events to the machine.
    fn apply_durable_events(&mut self, events: Vec<DurableEvent>) {
        if events.is_empty() {
            return;
        }
        for (event, ack) in events {
            self.handle(event, ack);
            // The machine buffers only a limited number of events.
            self.record_events();
        }
        self.dispatch_next();
        if let Persistence::Writing(journal) = &mut self.persistence
            && self.run.machine().at_task_boundary()
        {
            journal.schedule_step();
        }
    }

    /// Records the position of the run, if a step is due.
    pub(crate) fn record_due_position(&mut self) -> Result<(), RunError> {
        let Persistence::Writing(journal) = &mut self.persistence else { return Ok(()) };
        if !journal.is_due() {
            return Ok(());
        }
        if self.run.machine().at_task_boundary() {
            return journal.record_boundary(self.run.machine());
        }
        self.record_position().map(drop)
    }

    /// Records the position if required. Returns whether the driver must wait for the write.
    pub(crate) fn record_position(&mut self) -> Result<bool, RunError> {
        let Persistence::Writing(journal) = &mut self.persistence else { return Ok(false) };
        let position = journal.current_position(self.run.machine_mut(), self.in_flight.seen());
        let is_over = matches!(position, Position::Ended);
        self.record_events();
        let Persistence::Writing(journal) = &mut self.persistence else { return Ok(false) };
        let must_wait = journal.record_position(self.run.machine(), position)?;
        if is_over {
            drop_calls(self);
        }
        self.is_dispatched &= !must_wait;
        Ok(must_wait)
    }

    /// Polls the store for an answer to the open question, and submits it.
    pub(crate) fn poll_stored_answer(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (Persistence::Writing(journal), Some(open)) = (&mut self.persistence, &self.question)
        else {
            return Poll::Pending;
        };
        match ready!(journal.poll_answer(&open.directive.key, cx)) {
            Ok(answer) => {
                self.config.capture_answer(&open.directive.key, &answer);
                let (id, elapsed) = (open.directive.id, open.elapsed());
                self.in_flight.cancel(id);
                self.question = None;
                self.submit_event(Event::Answered { id, answer, elapsed }, None);
            }
            Err(error) => self.fail(error.into()),
        }
        Poll::Ready(())
    }

    /// Applies a change from a handle, and acknowledges it once it is durable.
    pub(crate) fn change_state(&mut self, change: StateChange) -> Result<(), RunError> {
        let StateChange { change, acknowledgement } = change;
        let changed = change.apply(self.run.machine_mut());
        if changed.is_err() || !matches!(self.persistence, Persistence::Writing(_)) {
            acknowledgement.send(changed);
            return Ok(());
        }
        self.record_events();
        match &mut self.persistence {
            Persistence::Writing(journal) => {
                journal.record_state_change(self.run.machine(), acknowledgement)
            }
            _ => Ok(()),
        }
    }

    /// Stops the run with an error of its persistence. Entries that were written stay durable.
    pub(crate) fn fail(&mut self, error: RunError) {
        self.end();
        if let Persistence::Writing(journal) = &self.persistence
            && journal.is_behind
        {
            self.run.drop_held();
        }
        let run = self.persistence.run_id().unwrap_or(self.run.run_id()).clone();
        self.persistence = Persistence::Failed(Box::new((run, error)));
    }

    /// Adds an entry to the history, and makes a step due.
    pub(crate) fn add_entry(&mut self, entry: HistoryEntry) {
        match &mut self.persistence {
            Persistence::Opening(opening) => return opening.entries.push(entry),
            Persistence::Writing(journal) => journal.schedule_step(),
            Persistence::Disabled | Persistence::Failed(_) => {}
        }
        self.run.machine_mut().add_entry(entry);
    }
}

/// Runs user code that resumes a run, and converts a panic into an error.
fn catch_panic<T>(
    run: &RunId,
    resume: impl FnOnce() -> Result<T, RunError>,
) -> Result<T, RunError> {
    catch_unwind(AssertUnwindSafe(resume)).unwrap_or_else(|panic| {
        let said = FunctionError::from_panic(&*panic).message().to_owned();
        Err(RunError::Panicked { run: run.clone(), said })
    })
}

fn add_entries(entries: Vec<HistoryEntry>, machine: &mut dyn AnyMachine) {
    for entry in entries {
        machine.add_entry(entry);
    }
}
