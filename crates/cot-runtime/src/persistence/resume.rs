//! Resumes a run: replays the journaled events that the machine has not processed.

use std::sync::Arc;

use cot_engine::{
    EventOutcome, Machine, Process,
    internal::{is_moved, poll_only},
};
use cot_store::{
    CallInfo, EventRecord, Lease, RunId, Status, Store,
    internal::{RecoveredRun, SnapshotEncoder},
};

use super::{journal_writer::JournalWriter, wait::Wait};
use crate::{
    persistence::{snapshot::snapshot_json, status},
    runner::error::RunError,
};

impl JournalWriter {
    /// Resumes the journal of a run, and replays the events since the last step to its machine.
    pub(crate) fn resume<P: Process>(
        (store, run, lease): (Arc<dyn Store>, RunId, Option<Lease>),
        recovered: RecoveredRun,
        mut machine: Machine<P>,
    ) -> Result<(Self, Machine<P>), RunError> {
        let RecoveredRun { snapshot, blobs, since_full, status, mut events, next, .. } = recovered;
        // A migrated or completed state, or a new halt, is recorded once and not at each resumption.
        let is_changed = lease.is_some() && snapshot_json(&machine)?.0 != snapshot;
        let encoder = SnapshotEncoder::new(snapshot, since_full).with_blobs(&blobs);
        let mut journal = Self::new(store, run, lease, encoder);
        // The run may have ended before the lease was acquired.
        let is_over = status.is_ended() && status::ended_status(&machine).is_some();
        journal.has_ended = journal.lease.is_none() || is_over;
        journal.is_due = is_changed || !events.is_empty();
        // A wait at the start of a fork is that of the original run, so it starts again.
        let is_new = next == 1;
        let first = next.saturating_sub(events.len() as u64);
        if is_moved(&machine) {
            // They answer calls that the migration has dropped.
            events.clear();
        } else if events.is_empty() && !status.is_ended() && !is_new {
            journal.resume_wait(&mut machine, &status);
        }
        for (entry, event) in (first..).zip(events) {
            journal.replay_event(&mut machine, entry, event, entry == first)?;
        }
        Ok((journal, machine))
    }

    fn resume_wait<P: Process>(&mut self, machine: &mut Machine<P>, status: &Status) {
        let wait = |id, since, until| Some(Wait { id, since, until, is_resumed: true });
        self.wait = match (status, machine.at_task_boundary()) {
            (Status::Asking { key, question, since, until, .. }, false) => {
                let asked = machine.poll().directives().iter().find(|asked| {
                    let asked_text = asked.as_question().map(|asked| &asked.text);
                    asked.key == *key && asked_text == Some(question)
                });
                asked.and_then(|asked| wait(asked.id, *since, *until))
            }
            (Status::Sleeping { until, .. }, false) => {
                let timer = machine.poll().directives().iter().find(|timer| timer.is_sleep());
                timer.and_then(|timer| wait(timer.id, *until, Some(*until)))
            }
            _ => None,
        };
        self.record_machine_events(machine);
    }

    /// Submits a journaled event to the machine, which must be waiting for it.
    fn replay_event<P: Process>(
        &mut self,
        machine: &mut Machine<P>,
        entry: u64,
        EventRecord { asked, event, .. }: EventRecord,
        is_first: bool,
    ) -> Result<(), RunError> {
        let directives = poll_only(machine, event.id()).directives();
        let asks = event.id().and_then(|id| status::call_info(directives, id));
        let key = |asked: &Option<CallInfo>| asked.as_ref().map(|asked| asked.key.clone());
        // The result of an item that arrived together with the reply at which its for-each task failed.
        let is_late =
            asks.is_none() && !is_first && key(&asked).is_some_and(|key| key.item().is_some());
        if is_late {
            return Ok(());
        }
        let fits = key(&asks) == key(&asked);
        let handled = if fits { machine.handle(event) } else { EventOutcome::Stale };
        self.record_machine_events(machine);
        match handled {
            EventOutcome::Applied | EventOutcome::Refused(_) => Ok(()),
            EventOutcome::Stale | EventOutcome::NotRunning => Err(RunError::Diverged {
                run: self.run.clone(),
                entry,
                answers: key(&asked).map_or_else(|| "a timer".to_owned(), |key| key.to_string()),
                asks: status::describe_directives(machine.poll().directives()),
            }),
        }
    }

    /// Records the events of the machine for the next step; they are not emitted.
    fn record_machine_events<P: Process>(&mut self, machine: &mut Machine<P>) {
        self.run_events.extend(machine.drain_events().filter_map(|event| event.to_journaled()));
    }
}
