//! Resumes a run: replays the journaled events that the machine has not processed.

use std::{collections::HashMap, sync::Arc};

use cot_engine::{CallId, CallKey, Directive, EventOutcome, internal::AnyMachine};
use cot_store::{
    EventRecord, Lease, RunId, Status, Store, Timer,
    internal::{RecoveredRun, SnapshotEncoder},
};

use super::{journal_writer::JournalWriter, position::RecordedWait, wait::Wait};
use crate::{
    persistence::{snapshot::snapshot_json, status},
    runner::error::RunError,
};

impl JournalWriter {
    /// Resumes the journal of a run, and replays the events since the last step to its machine.
    pub(crate) fn resume(
        (store, run, lease): (Arc<dyn Store>, RunId, Option<Lease>),
        recovered: RecoveredRun,
        machine: &mut dyn AnyMachine,
    ) -> Result<Self, RunError> {
        let RecoveredRun { snapshot, blobs, since_full, status, timers, mut events, next, .. } =
            recovered;
        // A migrated or completed state, or a new halt, is recorded once and not at each resumption.
        let is_changed = lease.is_some() && snapshot_json(machine)?.0 != snapshot;
        let encoder = SnapshotEncoder::new(snapshot, since_full).with_blobs(&blobs);
        let mut journal = Self::new(store, run, lease, encoder);
        // The run may have ended before the lease was acquired.
        let is_over = status.is_ended() && status::ended_status(machine).is_some();
        journal.has_ended = journal.lease.is_none() || is_over;
        journal.is_due = is_changed || !events.is_empty();
        // A wait at the start of a fork is that of the original run, so it starts again.
        let is_new = next == 1;
        let first = next.saturating_sub(events.len() as u64);
        let is_moved = machine.is_moved();
        if is_moved && machine.at_task_boundary() {
            // They answer calls that the migration has dropped.
            events.clear();
        } else if !is_moved && !status.is_ended() && !is_new {
            journal.resume_waits(machine, &status, &timers);
        }
        let mut asked = AskedCalls::default();
        let follows_events = events.len() > 1;
        for (entry, event) in (first..).zip(events) {
            if follows_events {
                asked.add(machine);
            }
            // A migration that moves a branch or an item drops its calls alone.
            let is_dropped = is_moved && !answers_call(machine, &event);
            if !is_dropped && !asked.is_late(&event, machine) {
                journal.replay_event(machine, entry, event)?;
            }
        }
        if journal.waits.retain_pending(machine) {
            journal.recorded = RecordedWait::None;
        }
        Ok(journal)
    }

    fn resume_waits(&mut self, machine: &mut dyn AnyMachine, status: &Status, timers: &[Timer]) {
        if machine.at_task_boundary() {
            return;
        }
        let definition = machine.definition();
        let task_name = |timer: &Directive| definition.task(timer.task).about.name;
        let directives = machine.poll_after(None).directives();
        let running = timers.iter().filter_map(|Timer { call, until }| {
            let timer = directives.iter().find(|timer| timer.id == *call && timer.is_sleep())?;
            Some((timer, *until))
        });
        let mut running: Vec<_> = running.collect();
        if let (Status::Sleeping { until, .. }, []) = (status, timers) {
            let only = directives.iter().find(|timer| timer.is_sleep());
            running.extend(only.map(|timer| (timer, *until)));
        }
        for (timer, until) in running {
            let wait =
                Wait { task: task_name(timer), since: until, until: Some(until), is_resumed: true };
            self.waits.add_timer(timer.id, wait);
        }
        match status {
            Status::Asking { key, question, since, until, due, .. } => {
                let asked = directives.iter().find(|asked| {
                    let asked_text = asked.as_question().map(|asked| &asked.text);
                    asked.key == *key && asked_text == Some(question)
                });
                if let Some(asked) = asked {
                    let (id, task) = (asked.id, task_name(asked));
                    let (since, until) = (*since, *until);
                    self.waits.ask(id, Wait { task, since, until, is_resumed: true });
                    self.recorded = RecordedWait::Asking(id, *due);
                }
            }
            Status::Sleeping { until, .. } => self.recorded = RecordedWait::Sleeping(*until),
            _ => {}
        }
        self.record_machine_events(machine);
    }

    /// Submits a journaled event to the machine, which must be waiting for it.
    fn replay_event(
        &mut self,
        machine: &mut dyn AnyMachine,
        entry: u64,
        EventRecord { asked, event, .. }: EventRecord,
    ) -> Result<(), RunError> {
        let asks = event.id().and_then(|id| status::call_key(machine, id));
        let answers = asked.map(|asked| asked.key);
        let fits = asks == answers;
        let handled = if fits { machine.handle(event) } else { EventOutcome::Stale };
        self.record_machine_events(machine);
        match handled {
            EventOutcome::Applied | EventOutcome::Refused(_) => Ok(()),
            EventOutcome::Stale | EventOutcome::NotRunning => Err(RunError::Diverged {
                run: self.run.clone(),
                entry,
                answers: answers.map_or_else(|| "a timer".to_owned(), |key| key.to_string()),
                asks: status::describe_directives(machine),
            }),
        }
    }

    /// Records the events of the machine for the next step; they are not emitted.
    fn record_machine_events(&mut self, machine: &mut dyn AnyMachine) {
        let definition = machine.definition();
        for recorded in machine.drain_recorded() {
            self.run_events.extend(recorded.untyped().to_journaled(definition));
        }
    }
}

/// Returns whether an event answers the call of the machine that has its id.
fn answers_call(machine: &mut dyn AnyMachine, record: &EventRecord) -> bool {
    let asks = record.event.id().and_then(|id| status::call_key(machine, id));
    asks.is_some_and(|asks| record.asked.as_ref().is_some_and(|asked| asked.key == asks))
}

/// The calls that a machine has asked for while its events are replayed.
#[derive(Default)]
struct AskedCalls {
    newest: Option<CallId>,
    /// The keys; `None` for timers.
    keys: HashMap<CallId, Option<CallKey>>,
}

impl AskedCalls {
    fn add(&mut self, machine: &mut dyn AnyMachine) {
        for directive in machine.poll_after(self.newest).directives() {
            let key = (!directive.is_sleep()).then(|| directive.key.clone());
            self.keys.insert(directive.id, key);
            self.newest = self.newest.max(Some(directive.id));
        }
    }

    /// Returns whether an event answers a call that was dropped: the event arrived together with the one that
    /// ended the task, or the branch, of the call.
    fn is_late(&self, event: &EventRecord, machine: &dyn AnyMachine) -> bool {
        let key = event.asked.as_ref().map(|asked| &asked.key);
        event.event.id().is_some_and(|id| {
            let asked = self.keys.get(&id);
            asked.is_some_and(|asked| asked.as_ref() == key) && !machine.is_pending(id)
        })
    }
}
