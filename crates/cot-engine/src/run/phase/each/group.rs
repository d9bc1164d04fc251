//! The phase of a for-each task.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use cot_model::Usage;
use cot_schema::internal::UntypedOutput;
use serde_json::Value;

use crate::{
    process::{
        child::{ChildRun, DueDirectives, Selection},
        kinds::group::Collect,
        tables::TaskKind,
    },
    protocol::{
        directive::CallId,
        event::Event,
        open_calls::OpenCalls,
        run_event::event::{PendingOutput, RunEvent},
    },
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunView},
        end::{PhaseHandled, TaskEnd},
        limits::Lane,
        phase::{
            each::{
                lanes::Lanes,
                members::Members,
                slot::{DoneItem, Slot, SlotHandled, SlotState},
            },
            question::ModelQuestion,
            task_phase::TaskPhase,
        },
    },
    snapshot::{
        data::{Delivery, PendingCall, PositionData},
        error::{SnapshotError, inconsistent},
    },
    values::{
        item_error::ItemError,
        outcome::{Attempt, FailedItem, Failure, HaltReason},
    },
};

/// Runs a slot for each item, up to a concurrency limit, and commits the outputs as one list.
#[derive(Debug)]
pub(crate) struct GroupPhase<S> {
    total: usize,
    /// The next item to start.
    next: usize,
    /// The outputs as JSON, by item.
    done: BTreeMap<usize, Value>,
    /// The usage of the accepted attempts.
    usage: Usage,
    /// The items in progress.
    members: Members<S>,
    /// The items to advance, in order.
    ready: VecDeque<usize>,
    lanes: Lanes,
}

/// The progress of a group, as restored from a snapshot.
pub(crate) struct GroupProgress<S> {
    pub(crate) total: usize,
    pub(crate) next: usize,
    pub(crate) done: BTreeMap<usize, Value>,
    pub(crate) usage: Usage,
    pub(crate) began: Duration,
    /// The slots by item, each with the time of its lane.
    pub(crate) slots: Vec<(usize, Duration, S)>,
}

impl<S: Slot> GroupPhase<S> {
    pub(crate) fn begin(cx: &mut RunContext<'_>) -> Result<Self, TaskEnd> {
        // Reserves a call id, as the other phases do.
        cx.facts.new_call();
        let task = cx.visit.task;
        let total = cx.host.item_count(task, &cx.facts.scope(cx.visit, None));
        if let Some(max) = max_items(cx).filter(|max| total > *max) {
            let reason = HaltReason::TooManyItems { max, count: total };
            return Err(TaskEnd::failed(reason, Vec::new()));
        }
        let mut group = Self {
            total,
            next: 0,
            done: BTreeMap::new(),
            usage: Usage::default(),
            members: Members::new(),
            ready: VecDeque::new(),
            lanes: Lanes::new(cx.facts.concurrency(task, total), cx.facts.elapsed),
        };
        cx.host.emit(|| RunEvent::ItemsStarted { task, items: total });
        match group.fill(cx) {
            Some(end) => Err(end),
            None => Ok(group),
        }
    }

    /// Restores a group. `run` is the elapsed time of the run.
    pub(crate) fn restore(
        progress: GroupProgress<S>,
        concurrency: usize,
        run: Duration,
    ) -> Result<Self, SnapshotError> {
        let GroupProgress { total, next, done, usage, began, slots } = progress;
        let times = slots.iter().map(|(_, time, _)| *time).collect();
        let lanes = Lanes::restore(times, concurrency, began, run);
        let ready = slots.iter().map(|(item, ..)| *item).collect();
        let mut members = Members::new();
        for (lane, (item, _, slot)) in slots.into_iter().enumerate() {
            let mut ids = Vec::new();
            slot.open_calls().visit(&mut |id, _| ids.push(id));
            if !members.insert(item, lane, slot, ids) {
                return Err(inconsistent("two items of a for-each task wait for the same call"));
            }
        }
        Ok(Self { total, next, done, usage, members, ready, lanes })
    }

    /// Starts slots while lanes are free. Ends the task once every item is done.
    fn fill(&mut self, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        if self.done.len() == self.total {
            return Some(self.commit(cx));
        }
        while self.next < self.total
            && let Some(lane) = self.lanes.take()
        {
            if let Some(reason) = Self::exhausted_budget(self.members.counts().models, cx) {
                if self.members.is_empty() {
                    return Some(self.fail_next_item(reason, cx));
                }
                // The calls in flight are paid for, and may use up the budget: wait for them.
                self.lanes.free(lane);
                break;
            }
            let (item, before) = (self.next, cx.facts.last_call);
            let elapsed = self.lanes.began.saturating_add(self.lanes.time(lane));
            match S::begin(item, Lane { elapsed, others: self.members.counts().models }, cx) {
                Ok(slot) => {
                    let ids = (before + 1..=cx.facts.last_call).map(CallId);
                    let ids: Vec<CallId> =
                        ids.filter(|id| slot.open_calls().contain(*id)).collect();
                    self.members.insert(item, lane, slot, ids);
                }
                Err(reason) => return Some(self.fail_next_item(reason, cx)),
            }
            self.ready.push_back(item);
            self.next += 1;
        }
        None
    }

    /// Returns the reason to halt if the items spend a budget that is used up.
    fn exhausted_budget(in_flight: u64, cx: &RunContext<'_>) -> Option<HaltReason> {
        let kind = &cx.facts.definition.task(cx.visit.task).kind;
        let in_flight = if cx.facts.is_mocked(cx.visit.task) { 0 } else { in_flight };
        kind.info().spends_budget.then(|| cx.facts.exhausted_budget(in_flight)).flatten()
    }

    /// Advances the items that are ready, until all wait for the driver.
    fn advance_ready(&mut self, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        let mut none = Vec::new();
        while let Some(item) = self.ready.pop_front() {
            let mut due = DueDirectives::new(Selection::None, &mut none);
            if let Some(end) = self.advance(item, cx, &mut due) {
                return Some(end);
            }
        }
        None
    }

    fn advance(
        &mut self,
        item: usize,
        cx: &mut RunContext<'_>,
        due: &mut DueDirectives<'_>,
    ) -> Option<TaskEnd> {
        let Self { members, lanes, .. } = self;
        let state =
            members.with(item, lanes, cx, |slot, clock, cx| slot.advance(clock, cx, due))?;
        self.apply(item, state, cx)
    }

    /// Applies the state that a slot has reached.
    fn apply(&mut self, item: usize, state: SlotState, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        match state {
            SlotState::Waiting => None,
            SlotState::Done(done) => self.item_done(item, done, cx),
            SlotState::Failed(reason) => self.item_failed(item, reason, cx),
            SlotState::Halted(reason) => Some(TaskEnd::halted(reason, self.attempts_of(item))),
        }
    }

    fn item_done(
        &mut self,
        item: usize,
        done: DoneItem,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let DoneItem { value, usage, elapsed } = done;
        let task = cx.visit.task;
        let value = match S::IS_WRAPPED || collect(cx) == Collect::All {
            true => value,
            false => serde_json::json!({ "Ok": value }),
        };
        cx.host.emit_passages(task, Some(item));
        cx.host.emit(|| {
            let output = PendingOutput::from_item(&value);
            RunEvent::ItemDone { task, item, output, usage, elapsed }
        });
        cx.host.discard_output();
        self.usage += usage;
        self.keep(item, value, cx)
    }

    /// Collects the failure, or fails the task.
    fn item_failed(
        &mut self,
        item: usize,
        reason: HaltReason,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        cx.host.discard_output();
        if collect(cx) == Collect::All || !is_of_item(&reason) {
            let attempts = self.attempts_of(item);
            return Some(self.fail(item, reason, attempts, cx));
        }
        let (task, error) = (cx.visit.task, ItemError::new(item, &reason));
        let value = serde_json::json!({ "Err": error });
        let ItemError { reason, .. } = error;
        cx.host.emit(|| RunEvent::ItemFailed { task, item, reason });
        self.keep(item, value, cx)
    }

    /// Keeps the result of an item, and starts the next one in its lane.
    fn keep(&mut self, item: usize, value: Value, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        self.done.insert(item, value);
        let (lane, _) = self.members.remove(item)?;
        if lane < cx.facts.concurrency(cx.visit.task, self.total) {
            self.lanes.free(lane);
        }
        self.fill(cx)
    }

    /// Commits the outputs in the order of the items.
    fn commit(&mut self, cx: &mut RunContext<'_>) -> TaskEnd {
        let done = std::mem::take(&mut self.done);
        let outputs = UntypedOutput::Value(Value::Array(done.into_values().collect()));
        let elapsed = cx.facts.elapsed.saturating_sub(self.lanes.began);
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

    fn fail_next_item(&mut self, reason: HaltReason, cx: &mut RunContext<'_>) -> TaskEnd {
        let attempts = self.take_attempts();
        self.fail(self.next, reason, attempts, cx)
    }

    /// Fails the task. The calls for the other items are dropped.
    fn fail(
        &self,
        item: usize,
        reason: HaltReason,
        attempts: Vec<Attempt>,
        cx: &mut RunContext<'_>,
    ) -> TaskEnd {
        cx.facts.drop_model_calls(self.members.counts().models);
        let done = self.done.keys().copied().collect();
        let failed = FailedItem { item, reason, done, total: self.total };
        TaskEnd::failed(HaltReason::ItemFailed(Box::new(failed)), attempts)
    }

    fn attempts_of(&mut self, item: usize) -> Vec<Attempt> {
        self.members.remove(item).map_or_else(Vec::new, |(_, mut slot)| slot.take_attempts())
    }
}

fn collect(cx: &RunContext<'_>) -> Collect {
    cx.facts.definition.task(cx.visit.task).kind.collect()
}

fn max_items(cx: &RunContext<'_>) -> Option<usize> {
    match &cx.facts.definition.task(cx.visit.task).kind {
        TaskKind::Each(each) => each.max_items,
        _ => None,
    }
}

/// Returns whether a failure concerns its item alone, so that it can be collected. Limits of the run end the task.
const fn is_of_item(reason: &HaltReason) -> bool {
    !matches!(
        reason,
        HaltReason::RunTimeout(_)
            | HaltReason::MaxSteps(_)
            | HaltReason::DefaultSteps(_)
            | HaltReason::Budget(_)
            | HaltReason::Template(_)
            | HaltReason::Cancelled(_)
    )
}

impl<S: Slot> TaskPhase for GroupPhase<S> {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        if let Some(end) = self.advance_ready(cx) {
            return Some(end);
        }
        let before = due.len();
        for item in self.members.items(due.range()) {
            if let Some(end) = self.advance(item, cx, due) {
                due.truncate(before);
                return Some(end);
            }
        }
        due.sort(before);
        None
    }

    /// Applies an event, and advances the run as far as possible, so that the ids of calls depend only on the
    /// order of the events.
    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        let item = event.id().and_then(|id| self.members.owner(id));
        let Some(item) = item else { return PhaseHandled::STALE };
        let Self { members, lanes, .. } = self;
        let handled =
            members.with(item, lanes, cx, |slot, clock, cx| slot.handle(event, clock, cx));
        let SlotHandled { handled, state } = handled.unwrap_or(SlotHandled::STALE);
        if matches!(state, SlotState::Waiting) {
            self.ready.push_back(item);
        }
        let end = self.apply(item, state, cx).or_else(|| self.advance_ready(cx));
        PhaseHandled { handled, end }
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        &self.members
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        self.members.iter_mut().flat_map(Slot::take_attempts).collect()
    }

    fn running_child(&self) -> Option<&dyn ChildRun> {
        self.members.running()?.child()
    }

    fn record_children(&mut self, on: bool) {
        self.members.iter_mut().for_each(|slot| slot.record_child(on));
    }

    fn current_question(&self, _: RunView<'_>) -> Result<ModelQuestion, String> {
        match self.members.iter().next() {
            Some((_, slot)) => slot.current_question(),
            None => Err("every item is done".to_owned()),
        }
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let pending = self
            .members
            .iter()
            .map(|(lane, slot)| Ok(PendingCall { lane: self.lanes.time(lane), ..slot.save()? }));
        Ok(PositionData::Each {
            visit,
            slots: S::KIND,
            total: self.total,
            next: self.next,
            done: self.done.clone(),
            usage: self.usage,
            pending: pending.collect::<Result<_, SnapshotError>>()?,
            began: self.lanes.began,
        })
    }
}
