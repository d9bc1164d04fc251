//! The part of the driver that persists a run: no event is processed before it is durable.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    task::{Context, Poll, ready},
};

use cot_engine::{CodeError, Event, HistoryEntry, Machine, Process, Snapshot};
use cot_store::RunId;
use serde::Serialize;

use crate::{
    driver::{driver::Drive, flight::Flight},
    persistence::{
        journal::{Journal, Logged},
        kept::Kept,
        opening::Found,
    },
    runner::{error::RunError, state_change::StateChange},
};

impl<P: Process> Drive<P> {
    /// Drives a stored run. An error stops it.
    pub(crate) fn poll_kept(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let gone_on = self.try_poll_kept(cx);
        gone_on.unwrap_or_else(|error| {
            self.fail(error);
            Poll::Ready(())
        })
    }

    fn try_poll_kept(&mut self, cx: &mut Context<'_>) -> Result<Poll<()>, RunError> {
        if let Kept::Opening(opening) = &mut self.kept {
            let Poll::Ready(found) = opening.poll(cx) else { return Ok(Poll::Pending) };
            self.open(found?)?;
        }
        let Kept::In(journal) = &mut self.kept else { return Ok(Poll::Ready(())) };
        let Poll::Ready(events) = journal.poll_ready(cx) else { return Ok(Poll::Pending) };
        self.take_in(events?);
        self.write_down()?;
        if self.kept.is_writing() || self.is_over {
            return Ok(Poll::Ready(()));
        }
        let done = self.poll_order(cx);
        if done.is_pending()
            && let Kept::In(journal) = &mut self.kept
        {
            journal.flush(cx)?;
        }
        Ok(done)
    }

    /// Starts or resumes the run, once the store has been read.
    fn open(&mut self, found: Found) -> Result<(), RunError> {
        let Kept::Opening(opening) = &mut self.kept else { return Ok(()) };
        let entries = mem::take(&mut opening.entries);
        let (store, run) = (Arc::clone(&opening.store), opening.run.clone());
        let mut journal = match found {
            Found::New(lease) => {
                add(&entries, &mut self.machine);
                let journal = Journal::begin(store, lease, &self.machine)?;
                self.kept = Kept::In(Box::new(journal));
                return Ok(());
            }
            Found::Known(lease, recovered) => {
                let config = &self.config;
                let resumed = contained(&run.clone(), || {
                    let snapshot = Snapshot::from_json(&recovered.snapshot)?;
                    let machine = config.resumed(snapshot)?;
                    Journal::resume((store, run, lease), *recovered, machine)
                })?;
                let (journal, machine) = resumed;
                self.machine = machine;
                journal
            }
        };
        if !entries.is_empty() {
            add(&entries, &mut self.machine);
            journal.make_due();
        }
        self.kept = Kept::In(Box::new(journal));
        Ok(())
    }

    /// Submits durable events to the machine.
    fn take_in(&mut self, events: Vec<Logged>) {
        if events.is_empty() {
            return;
        }
        for (event, told) in events {
            self.handle(event, told);
            // The machine keeps only so many events that nobody has fetched.
            self.note();
        }
        self.settle();
        if let Kept::In(journal) = &mut self.kept
            && self.machine.at_task_boundary()
        {
            journal.make_due();
        }
    }

    /// Records the position of the run, if a step is due.
    fn write_down(&mut self) -> Result<(), RunError> {
        let Kept::In(journal) = &mut self.kept else { return Ok(()) };
        if !journal.is_due() {
            return Ok(());
        }
        if self.machine.at_task_boundary() {
            return journal.boundary(&self.machine);
        }
        self.arrive().map(drop)
    }

    /// Persists the position if required. Returns true while the driver must wait for the write.
    pub(crate) fn is_kept_first(&mut self) -> bool {
        self.arrive().unwrap_or_else(|error| {
            self.fail(error);
            true
        })
    }

    fn arrive(&mut self) -> Result<bool, RunError> {
        let Kept::In(journal) = &mut self.kept else { return Ok(false) };
        let position = journal.position(&self.machine.poll_after(self.flight.newest()));
        self.note();
        let Kept::In(journal) = &mut self.kept else { return Ok(false) };
        let comes_first = journal.record_position(&self.machine, position)?;
        if comes_first {
            self.flight = Flight::Nothing;
            self.question = None;
        }
        Ok(comes_first)
    }

    /// Polls the store for an answer to the open question, and submits it.
    pub(crate) fn poll_answer_kept(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (Kept::In(journal), Some(open)) = (&mut self.kept, &self.question) else {
            return Poll::Pending;
        };
        match ready!(journal.poll_answer(&open.directive.key, cx)) {
            Ok(answer) => {
                self.config.note_answer(&open.directive.key, &answer);
                let (id, elapsed) = (open.directive.id, open.elapsed());
                (self.flight, self.question) = (Flight::Nothing, None);
                self.hand_in(Event::Answered { id, answer, elapsed }, None);
            }
            Err(error) => self.fail(error.into()),
        }
        Poll::Ready(())
    }

    /// Applies a change of the state, and acknowledges it once it is durable.
    pub(crate) fn change_state(&mut self, change: StateChange) -> Result<(), RunError> {
        let StateChange { apply, acknowledgement } = change;
        let changed = self.machine.update_state(|state| apply(state));
        if changed.is_err() || !matches!(self.kept, Kept::In(_)) {
            acknowledgement.send(changed);
            return Ok(());
        }
        self.note();
        match &mut self.kept {
            Kept::In(journal) => journal.change(&self.machine, acknowledgement),
            _ => Ok(()),
        }
    }

    /// Stops the run with an error of its persistence. Entries that were written stay durable.
    pub(crate) fn fail(&mut self, error: RunError) {
        self.end();
        if let Some(run) = self.kept.run_id().cloned() {
            self.kept = Kept::Failed(Box::new((run, error)));
        }
    }

    /// Adds an entry to the history, and makes a step due.
    pub(crate) fn add_history<T: Serialize + ?Sized>(
        &mut self,
        entry: &T,
    ) -> serde_json::Result<()> {
        match &mut self.kept {
            Kept::Opening(opening) => {
                opening.entries.push(HistoryEntry::of(entry)?);
                return Ok(());
            }
            Kept::In(journal) => journal.make_due(),
            Kept::Nowhere | Kept::Failed(_) => {}
        }
        self.machine.add_history(entry)
    }
}

/// Runs user code that resumes a run, and converts a panic into an error.
fn contained<T>(run: &RunId, resume: impl FnOnce() -> Result<T, RunError>) -> Result<T, RunError> {
    catch_unwind(AssertUnwindSafe(resume)).unwrap_or_else(|panic| {
        let said = CodeError::from_panic(&*panic).message().to_owned();
        Err(RunError::Panicked { run: run.clone(), said })
    })
}

fn add<P: Process>(entries: &[HistoryEntry], machine: &mut Machine<P>) {
    for entry in entries {
        // The entry is JSON already, so this can't fail.
        let _ = machine.add_history(entry);
    }
}
