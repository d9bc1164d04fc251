//! The slots of a group, and the calls that they wait for.

use std::{
    collections::BTreeMap,
    ops::{Bound, RangeInclusive},
};

use crate::{
    protocol::directive::CallId,
    run::{
        context::RunContext,
        phase::each::{
            lanes::{LaneClock, Lanes},
            slot::Slot,
        },
    },
};

/// The slots of a group by item. Calls are looked up by id, so that an event costs the same for any number of
/// slots.
#[derive(Debug)]
pub(super) struct Members<S> {
    members: BTreeMap<usize, Member<S>>,
    /// The item that waits for each call. It may contain calls that are over, of items that are not.
    owners: BTreeMap<CallId, usize>,
    /// The number of calls that the slots wait for.
    pending: usize,
    /// The number of model calls in flight.
    model_calls: u64,
    /// The item whose slot is being changed; it stays if code of the process panics.
    running: Option<usize>,
}

#[derive(Debug)]
struct Member<S> {
    slot: S,
    lane: usize,
    /// The calls of the slot in `owners`.
    ids: Vec<CallId>,
    pending: usize,
    model_calls: u64,
}

impl<S: Slot> Members<S> {
    pub(super) const fn new() -> Self {
        Self {
            members: BTreeMap::new(),
            owners: BTreeMap::new(),
            pending: 0,
            model_calls: 0,
            running: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(super) const fn pending_calls(&self) -> usize {
        self.pending
    }

    pub(super) const fn model_calls(&self) -> u64 {
        self.model_calls
    }

    /// Returns the slots with their lanes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &S)> {
        self.members.values().map(|member| (member.lane, &member.slot))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.members.values_mut().map(|member| &mut member.slot)
    }

    /// Returns the slot whose code was running when it panicked.
    pub(super) fn running(&self) -> Option<&S> {
        Some(&self.members.get(&self.running?)?.slot)
    }

    /// Returns the calls that the slots wait for.
    pub(super) fn ids(&self) -> impl Iterator<Item = CallId> {
        self.owners.keys().copied().filter(|id| self.is_pending(*id))
    }

    /// Returns the item that waits for a call.
    pub(super) fn owner(&self, id: CallId) -> Option<usize> {
        self.owners.get(&id).copied()
    }

    pub(super) fn is_pending(&self, id: CallId) -> bool {
        let member = self.owner(id).and_then(|item| self.members.get(&item));
        member.is_some_and(|member| member.slot.is_pending(id))
    }

    /// Returns the items that wait for a call in a range, each once.
    pub(super) fn items(&self, range: (Bound<CallId>, Bound<CallId>)) -> Vec<usize> {
        let mut items: Vec<usize> = self.owners.range(range).map(|(_, item)| *item).collect();
        items.sort_unstable();
        items.dedup();
        items
    }

    /// Adds the slot of an item, with the calls that were assigned to it. Returns `false` if the item or one of
    /// the calls is known.
    pub(super) fn insert(
        &mut self,
        item: usize,
        lane: usize,
        slot: S,
        ids: impl IntoIterator<Item = CallId>,
    ) -> bool {
        let mut member = Member { slot, lane, ids: Vec::new(), pending: 0, model_calls: 0 };
        let are_new = ids.into_iter().fold(true, |are_new, id| {
            member.ids.push(id);
            self.owners.insert(id, item).is_none() && are_new
        });
        (member.pending, member.model_calls) =
            (member.slot.pending_calls(), member.slot.model_calls());
        self.pending += member.pending;
        self.model_calls += member.model_calls;
        self.members.insert(item, member).is_none() && are_new
    }

    /// Removes the slot of an item. Returns it with its lane.
    pub(super) fn remove(&mut self, item: usize) -> Option<(usize, S)> {
        let Member { slot, lane, ids, pending, model_calls } = self.members.remove(&item)?;
        for id in ids {
            self.owners.remove(&id);
        }
        self.pending -= pending;
        self.model_calls -= model_calls;
        Some((lane, slot))
    }

    /// Changes the slot of an item, and takes the calls that are assigned to it meanwhile into account.
    pub(super) fn with<T>(
        &mut self,
        item: usize,
        lanes: &mut Lanes,
        cx: &mut RunContext<'_>,
        change: impl FnOnce(&mut S, &mut LaneClock<'_>, &mut RunContext<'_>) -> T,
    ) -> Option<T> {
        let member = self.members.get_mut(&item)?;
        self.running = Some(item);
        let (lane, others) = (member.lane, self.model_calls - member.model_calls);
        let before = cx.facts.last_call;
        let result = change(&mut member.slot, &mut LaneClock { lanes, lane, others }, cx);
        self.running = None;
        self.update(item, before + 1..=cx.facts.last_call);
        Some(result)
    }

    /// Updates what is known of the calls of an item, to which these ids may have been assigned.
    fn update(&mut self, item: usize, assigned: RangeInclusive<u64>) {
        let Some(member) = self.members.get_mut(&item) else { return };
        for id in assigned.map(CallId).filter(|id| member.slot.is_pending(*id)) {
            self.owners.insert(id, item);
            member.ids.push(id);
        }
        let (pending, model_calls) = (member.slot.pending_calls(), member.slot.model_calls());
        self.pending = self.pending - member.pending + pending;
        self.model_calls = self.model_calls - member.model_calls + model_calls;
        (member.pending, member.model_calls) = (pending, model_calls);
        // Forgets calls that are over, rarely enough that it costs little for each call.
        if member.ids.len() > 2 * pending + 4 {
            let Member { slot, ids, .. } = member;
            for id in ids.extract_if(.., |id| !slot.is_pending(*id)) {
                self.owners.remove(&id);
            }
        }
    }
}
