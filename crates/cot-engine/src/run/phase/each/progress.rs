//! The progress of a for-each task in a snapshot.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use cot_model::Usage;
use serde_json::Value;

use crate::{
    run::{
        context::Visit,
        phase::each::{
            group::{GroupPhase, GroupProgress},
            slot::{Slot, SlotContext},
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
    pub(crate) fn restore<S: Slot>(
        self,
        visit: &Visit,
        run: &RestoreContext<'_>,
    ) -> Result<GroupPhase<S>, SnapshotError> {
        let facts = run.facts;
        let item_count = run.host.item_count(visit.task, &facts.scope(visit, None));
        if self.total != item_count || !self.is_consistent() {
            return Err(inconsistent("the items of a for-each task do not add up"));
        }
        let Self { total, next, done, usage, pending, began } = self;
        let cx = SlotContext { visit, run };
        let slots = pending.into_iter().map(|pending| {
            let (item, lane) = (pending.item.unwrap_or_default(), pending.lane);
            Ok((item, lane, S::restore(item, pending, &cx)?))
        });
        let slots = slots.collect::<Result<_, SnapshotError>>()?;
        let progress = GroupProgress { total, next, done, usage, began, slots };
        GroupPhase::restore(progress, facts.concurrency(visit.task, total), cx.run.elapsed)
    }

    /// Returns whether every item before the next one is either done or pending, once.
    fn is_consistent(&self) -> bool {
        let pending = self.pending.iter().filter_map(|pending| pending.item);
        let begun: BTreeSet<usize> = self.done.keys().copied().chain(pending).collect();
        let are_distinct = begun.len() == self.done.len() + self.pending.len();
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
