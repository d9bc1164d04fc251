//! Commits of the journal in the transaction of a function.

use std::sync::Arc;

use cot_engine::{CallKey, Event, Route, RunEvent, internal::AnyMachine};
use cot_store::{Lease, Store, Transaction};

use crate::persistence::journal_writer::JournalWriter;

/// Returns what a transaction of a run is begun with; `None` once the run has ended.
pub(crate) fn parts(journal: &JournalWriter) -> Option<(Arc<dyn Store>, Arc<Lease>)> {
    Some((Arc::clone(&journal.store), journal.lease.clone()?))
}

/// Records the event of a function that the machine processes before it is durable. Returns the number of run events since
/// the last step.
pub(crate) fn record(
    journal: &mut JournalWriter,
    machine: &mut dyn AnyMachine,
    event: &Event,
) -> usize {
    journal.push_event(machine, event);
    journal.is_behind = true;
    journal.run_events.len()
}

/// Makes a step due, and the run wait until all records are durable: in the transaction, if the result of the call is
/// accepted, as the run events after the first `since` tell.
pub(crate) fn commit(
    journal: &mut JournalWriter,
    key: &CallKey,
    since: usize,
    transaction: Box<dyn Transaction>,
) {
    let news = journal.run_events.get(since..).unwrap_or_default();
    // Otherwise it is dropped, which rolls it back.
    journal.transaction = is_accepted(news, key).then_some(transaction);
    (journal.is_due, journal.is_blocked) = (true, true);
}

/// Returns whether the result of a call is part of the state, or of the results of a for-each task.
fn is_accepted(news: &[RunEvent], key: &CallKey) -> bool {
    let is_own = |task: &str, item| task == key.task() && item == key.item();
    let is_rejected = |note: &RunEvent| match note.innermost() {
        RunEvent::AttemptFailed { task, attempt, .. } => is_own(task, attempt.item),
        _ => false,
    };
    let is_taken = |note: &RunEvent| match note.innermost() {
        RunEvent::Committed { task, .. } => is_own(task, None),
        // That of a task without an output.
        RunEvent::TaskFinished { task, route, .. } => {
            is_own(task, None) && !matches!(route, Route::End | Route::On(_))
        }
        RunEvent::ItemDone { task, item, .. } => is_own(task, Some(*item)),
        _ => false,
    };
    news.iter().any(is_taken) && !news.iter().any(is_rejected)
}
