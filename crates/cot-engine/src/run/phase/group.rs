//! The phase of a for-each task: concurrent slots.

use std::{collections::BTreeMap, ops::Bound, time::Duration};

use cot_model::Usage;
use cot_schema::internal::UntypedOutput;
use serde_json::Value;

use crate::{
    process::{child::DueDirectives, host::ProcessHost},
    protocol::{directive::CallId, event::Event, run_event::event::RunEvent},
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunFacts, Visit},
        end::{PhaseHandled, TaskEnd},
        phase::{
            question::{Lane, ModelQuestion},
            slot::{Slot, SlotOutcome},
            task_phase::TaskPhase,
        },
    },
    snapshot::{
        data::{Delivery, PendingCall, PositionData},
        error::SnapshotError,
    },
    values::outcome::{Attempt, FailedItem, Failure, HaltReason},
};

/// Runs a slot for each item, up to a concurrency limit, and commits the outputs as one list.
#[derive(Debug)]
pub(crate) struct GroupPhase<S> {
    total: usize,
    /// The next item to start.
    next: usize,
    /// The valid outputs as JSON, by item.
    done: BTreeMap<usize, Value>,
    /// The usage of the accepted attempts.
    usage: Usage,
    /// The pending slots with their lanes, by call. Ids grow, so the newest calls are last.
    slots: BTreeMap<CallId, (usize, S)>,
    /// The newest call with a written request. All earlier requests are written too.
    written: Option<CallId>,
    /// The time of the sequential calls in each concurrent lane.
    lanes: Vec<Duration>,
    /// The maximum of `lanes`.
    longest: Duration,
    /// The lanes without a pending slot.
    free: Vec<usize>,
    /// The elapsed time of the run at the start of the task.
    began: Duration,
}

/// The progress of a group, as restored from a snapshot.
pub(crate) struct GroupProgress<S> {
    pub(crate) total: usize,
    pub(crate) next: usize,
    pub(crate) done: BTreeMap<usize, Value>,
    pub(crate) usage: Usage,
    pub(crate) began: Duration,
    /// The pending slots, each with the time of its lane.
    pub(crate) slots: Vec<(Duration, S)>,
}

impl<S: Slot> GroupPhase<S> {
    pub(crate) fn begin(cx: &mut RunContext<'_>) -> Result<Self, TaskEnd> {
        // Reserves a call id, as the other phases do.
        cx.facts.new_call();
        let task = cx.visit.task;
        let total = cx.host.item_count(task, &cx.facts.scope(cx.visit, None));
        let lanes = vec![Duration::ZERO; cx.facts.concurrency(task, total)];
        let mut group = Self {
            total,
            next: 0,
            done: BTreeMap::new(),
            usage: Usage::default(),
            slots: BTreeMap::new(),
            written: None,
            free: (0..lanes.len()).rev().collect(),
            lanes,
            longest: Duration::ZERO,
            began: cx.facts.elapsed,
        };
        match group.fill(cx) {
            Some(end) => Err(end),
            None => Ok(group),
        }
    }

    pub(crate) fn restore(progress: GroupProgress<S>, concurrency: usize, run: Duration) -> Self {
        let GroupProgress { total, next, done, usage, began, slots } = progress;
        // More calls may be in flight than the current limit allows.
        let count = concurrency.max(slots.len());
        let mut lanes: Vec<Duration> = slots.iter().map(|(lane, _)| *lane).collect();
        lanes.resize(count, run.saturating_sub(began));
        let free = (slots.len()..count).rev().collect();
        let slots = slots.into_iter().enumerate();
        let slots = slots.map(|(lane, (_, slot))| (slot.id(), (lane, slot))).collect();
        let longest = lanes.iter().max().copied().unwrap_or_default();
        Self { total, next, done, usage, slots, written: None, lanes, longest, free, began }
    }

    /// Starts slots while lanes are free. Ends the task once every item is done.
    fn fill(&mut self, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        if self.done.len() == self.total {
            return Some(self.commit(cx));
        }
        while self.next < self.total
            && let Some(lane) = self.free.pop()
        {
            if let Some(reason) = cx.facts.exhausted_budget(self.in_flight(cx)) {
                if self.slots.is_empty() || cx.facts.exhausted_budget(0).is_some() {
                    return Some(self.fail_next_item(reason));
                }
                // The calls in flight may use up the budget: wait for them.
                self.free.push(lane);
                break;
            }
            let slot = S::begin(self.next, cx);
            self.slots.insert(slot.id(), (lane, slot));
            self.next += 1;
        }
        None
    }

    fn in_flight(&self, cx: &RunContext<'_>) -> usize {
        if cx.facts.is_mocked(cx.visit.task) { 0 } else { self.slots.len() }
    }

    /// Returns the elapsed time of the run as a lane sees it.
    fn lane_time(&self, lane: usize) -> Duration {
        self.began.saturating_add(self.lanes.get(lane).copied().unwrap_or_default())
    }

    /// Writes the requests of new slots, and applies mock answers one after the other.
    fn prepare(&mut self, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        loop {
            let after = self.written.map_or(Bound::Unbounded, Bound::Excluded);
            for (id, (_, slot)) in self.slots.range_mut((after, Bound::Unbounded)) {
                if let Err(why) = slot.prepare(cx) {
                    let attempts = slot.take_attempts();
                    return Some(TaskEnd::halted(HaltReason::Template(why), attempts));
                }
                self.written = Some(*id);
            }
            let event = self.mock_answer(cx)?;
            if let Some(end) = self.handle(event, cx).end {
                return Some(end);
            }
        }
    }

    fn mock_answer(&self, cx: &RunContext<'_>) -> Option<Event> {
        if !cx.facts.is_mocked(cx.visit.task) {
            return None;
        }
        self.slots.values().find_map(|(_, slot)| slot.mock_answer())
    }

    /// Adds the time of a call to its lane.
    fn add_time(&mut self, lane: usize, elapsed: Duration, cx: &mut RunContext<'_>) {
        if let Some(time) = self.lanes.get_mut(lane) {
            *time = time.saturating_add(elapsed);
            self.longest = self.longest.max(*time);
        }
        cx.facts.elapsed = self.began.saturating_add(self.longest);
    }

    fn item_done(
        &mut self,
        lane: usize,
        item: usize,
        (value, usage, elapsed): (Value, Usage, Duration),
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let task = cx.visit.task;
        cx.host.emit(|| RunEvent::ItemDone { task, item, usage, elapsed });
        self.done.insert(item, value);
        self.usage += usage;
        if lane < cx.facts.concurrency(task, self.total) {
            self.free.push(lane);
        }
        self.fill(cx)
    }

    /// Commits the outputs in the order of the items.
    fn commit(&mut self, cx: &mut RunContext<'_>) -> TaskEnd {
        let done = std::mem::take(&mut self.done);
        let outputs = UntypedOutput::Value(Value::Array(done.into_values().collect()));
        let elapsed = cx.facts.elapsed.saturating_sub(self.began);
        let committed = cx.read(outputs).and_then(|()| cx.commit(self.usage, elapsed));
        committed.unwrap_or_else(|issues| {
            cx.host.discard_output();
            let mut attempts = Attempts::default();
            let reply = ReplyCost::without_reply(elapsed);
            let failed = FailedAttempt { failure: Failure::Rejected, reply, issues };
            attempts.record(AttemptTarget::task(cx.visit.task), failed, false, cx.host);
            TaskEnd::failed(HaltReason::Exhausted, attempts.failed)
        })
    }

    fn fail_next_item(&mut self, reason: HaltReason) -> TaskEnd {
        let attempts = self.take_attempts();
        self.item_failed(self.next, reason, attempts)
    }

    fn item_failed(&self, item: usize, reason: HaltReason, attempts: Vec<Attempt>) -> TaskEnd {
        let done = self.done.keys().copied().collect();
        let failed = FailedItem { item, reason, done, total: self.total };
        TaskEnd::failed(HaltReason::ItemFailed(Box::new(failed)), attempts)
    }

    fn apply(&mut self, event: Event, cx: &mut RunContext<'_>) -> Option<PhaseHandled> {
        let id = event.id()?;
        let (lane, slot) = self.slots.get(&id)?;
        let (lane, run) = (*lane, self.lane_time(*lane));
        let (answer, elapsed) = slot.answer_from(event, run, cx)?;
        let (_, mut slot) = self.slots.remove(&id)?;
        self.add_time(lane, elapsed, cx);
        let time = Lane { elapsed: self.lane_time(lane), others: self.in_flight(cx) };
        let end = match slot.receive((answer, elapsed), time, cx) {
            SlotOutcome::Done(value, usage, elapsed) => {
                self.item_done(lane, slot.item(), (value, usage, elapsed), cx)
            }
            SlotOutcome::Retrying => {
                self.slots.insert(slot.id(), (lane, slot));
                None
            }
            SlotOutcome::Failed(reason) => {
                Some(self.item_failed(slot.item(), reason, slot.take_attempts()))
            }
        };
        Some(PhaseHandled::applied(end))
    }
}

impl<S: Slot> TaskPhase for GroupPhase<S> {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        if let Some(end) = self.prepare(cx) {
            return Some(end);
        }
        for (_, (lane, slot)) in self.slots.range(due.range()) {
            if let Some(directive) = slot.directive(cx, self.lane_time(*lane)) {
                due.push(directive);
            }
        }
        None
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        self.apply(event, cx).unwrap_or(PhaseHandled::STALE)
    }

    fn is_pending(&self, id: CallId) -> bool {
        self.slots.contains_key(&id)
    }

    fn pending_calls(&self) -> usize {
        self.slots.len()
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        let slots = std::mem::take(&mut self.slots).into_values();
        slots.flat_map(|(_, mut slot)| slot.take_attempts()).collect()
    }

    fn current_question(
        &self,
        _: &RunFacts,
        _: &Visit,
        _: &dyn ProcessHost,
    ) -> Result<ModelQuestion, String> {
        let first = self.slots.values().next();
        let pending = first.and_then(|(_, slot)| slot.current_question());
        pending.ok_or_else(|| "every item is done".to_owned())
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let pending = self.slots.values().map(|(lane, slot)| {
            let lane = self.lanes.get(*lane).copied().unwrap_or_default();
            PendingCall { lane, ..slot.save() }
        });
        Ok(PositionData::Each {
            visit,
            total: self.total,
            next: self.next,
            done: self.done.clone(),
            usage: self.usage,
            pending: pending.collect(),
            began: self.began,
        })
    }
}
