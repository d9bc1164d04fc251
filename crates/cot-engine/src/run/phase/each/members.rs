//! The slots of a group, and the calls that they wait for.

use std::{
    collections::BTreeMap,
    ops::{Bound, RangeInclusive},
};

use crate::{
    protocol::{
        directive::CallId,
        open_calls::{Answerer, OpenCalls, OpenCounts},
    },
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
    /// How many calls the slots wait for.
    open: OpenCounts,
    /// The item whose slot is being changed; it stays if code of the process panics.
    running: Option<usize>,
}

#[derive(Debug)]
struct Member<S> {
    slot: S,
    lane: usize,
    /// The calls of the slot in `owners`.
    ids: Vec<CallId>,
    open: OpenCounts,
}

impl<S: Slot> Members<S> {
    pub(super) const fn new() -> Self {
        Self {
            members: BTreeMap::new(),
            owners: BTreeMap::new(),
            open: OpenCounts { all: 0, models: 0, people: 0 },
            running: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
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

    /// Returns the item that waits for a call.
    pub(super) fn owner(&self, id: CallId) -> Option<usize> {
        self.owners.get(&id).copied()
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
        let mut member = Member { slot, lane, ids: Vec::new(), open: OpenCounts::default() };
        let are_new = ids.into_iter().fold(true, |are_new, id| {
            member.ids.push(id);
            self.owners.insert(id, item).is_none() && are_new
        });
        member.open = member.slot.open_calls().counts();
        self.open = self.open.replace(OpenCounts::default(), member.open);
        self.members.insert(item, member).is_none() && are_new
    }

    /// Removes the slot of an item. Returns it with its lane.
    pub(super) fn remove(&mut self, item: usize) -> Option<(usize, S)> {
        let Member { slot, lane, ids, open } = self.members.remove(&item)?;
        for id in ids {
            self.owners.remove(&id);
        }
        self.open = self.open.replace(open, OpenCounts::default());
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
        let (lane, others) = (member.lane, self.open.models - member.open.models);
        let before = cx.facts.last_call;
        let result = change(&mut member.slot, &mut LaneClock { lanes, lane, others }, cx);
        self.running = None;
        self.update(item, before + 1..=cx.facts.last_call);
        Some(result)
    }

    /// Updates what is known of the calls of an item, to which these ids may have been assigned.
    fn update(&mut self, item: usize, assigned: RangeInclusive<u64>) {
        let Some(member) = self.members.get_mut(&item) else { return };
        for id in assigned.map(CallId).filter(|id| member.slot.open_calls().contain(*id)) {
            self.owners.insert(id, item);
            member.ids.push(id);
        }
        let open = member.slot.open_calls().counts();
        self.open = self.open.replace(member.open, open);
        member.open = open;
        // Forgets calls that are over, rarely enough that it costs little for each call.
        if member.ids.len() > 2 * open.all + 4 {
            let Member { slot, ids, .. } = member;
            for id in ids.extract_if(.., |id| !slot.open_calls().contain(*id)) {
                self.owners.remove(&id);
            }
        }
    }
}

impl<S: Slot> OpenCalls for Members<S> {
    fn visit(&self, visit: &mut dyn FnMut(CallId, Answerer)) {
        self.iter().for_each(|(_, slot)| slot.open_calls().visit(visit));
    }

    fn contain(&self, id: CallId) -> bool {
        let member = self.owner(id).and_then(|item| self.members.get(&item));
        member.is_some_and(|member| member.slot.open_calls().contain(id))
    }

    fn counts(&self) -> OpenCounts {
        self.open
    }
}
