//! The progress of a for-each task in a snapshot.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use cot_model::Usage;
use serde_json::Value;

use crate::{
    protocol::directive::CallId,
    run::{
        context::Visit,
        phase::{
            group::{GroupPhase, GroupProgress},
            question::ModelQuestion,
        },
        restore_context::RestoreContext,
    },
    snapshot::{
        data::PendingCall,
        error::{SnapshotError, inconsistent},
    },
};

/// The progress of a for-each task.
pub(crate) struct ItemProgress {
    pub(crate) total: usize,
    pub(crate) next: usize,
    pub(crate) done: BTreeMap<usize, Value>,
    pub(crate) usage: Usage,
    pub(crate) pending: Vec<PendingCall>,
    pub(crate) began: Duration,
}

impl ItemProgress {
    /// Restores the phase, if the progress is consistent with the present items.
    pub(crate) fn restore(
        self,
        visit: &Visit,
        cx: &RestoreContext<'_>,
    ) -> Result<GroupPhase<ModelQuestion>, SnapshotError> {
        let facts = cx.facts;
        let item_count = cx.host.item_count(visit.task, &facts.scope(visit, None));
        if self.total != item_count || !self.is_consistent() {
            return Err(inconsistent("the items of a for-each task do not add up"));
        }
        let Self { total, next, done, usage, pending, began } = self;
        let slots = pending
            .into_iter()
            .map(|pending| Ok((pending.lane, ModelQuestion::restore(visit, pending, cx)?)));
        let slots = slots.collect::<Result<_, SnapshotError>>()?;
        let progress = GroupProgress { total, next, done, usage, began, slots };
        Ok(GroupPhase::restore(progress, facts.concurrency(visit.task, total), facts.elapsed))
    }

    /// Returns whether every item before the next one is either done or pending, once.
    fn is_consistent(&self) -> bool {
        let pending = self.pending.iter().filter_map(|pending| pending.item);
        let begun: BTreeSet<usize> = self.done.keys().copied().chain(pending).collect();
        let calls: BTreeSet<CallId> = self.pending.iter().map(|pending| pending.call).collect();
        let are_distinct = calls.len() == self.pending.len()
            && begun.len() == self.done.len() + self.pending.len();
        let last = begun.last().map_or(0, |item| item.saturating_add(1));
        // A for-each task with all items done would have committed.
        let is_unfinished = !self.pending.is_empty();
        are_distinct
            && is_unfinished
            && begun.len() == self.next
            && last == self.next
            && self.next <= self.total
    }
}
