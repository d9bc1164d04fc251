//! The slot of an item for which a sub-process runs.

use std::any::Any;

use cot_schema::Issues;

use crate::{
    process::{
        child::{ChildRun, DueDirectives, Totals},
        tables::TaskIndex,
    },
    protocol::{
        directive::CallId,
        event::Event,
        open_calls::{NoCalls, OpenCalls},
    },
    run::{
        attempts::{Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunFacts},
        limits::Lane,
        phase::{
            child_call::{ChildAttempts, EndedChild},
            each::{
                lanes::LaneClock,
                slot::{DoneItem, Slot, SlotContext, SlotHandled, SlotState},
            },
            question::ModelQuestion,
        },
    },
    snapshot::{
        data::{PendingCall, SlotKind},
        error::{SnapshotError, inconsistent},
    },
    values::outcome::{Attempt, Ending, Failure, HaltReason},
};

/// Runs a sub-process for an item.
#[derive(Debug)]
pub(crate) struct ProcessItem {
    item: usize,
    call: ChildAttempts,
}

impl ProcessItem {
    /// Adds what the sub-process has consumed since the last time to the run, so that limits hold for all
    /// sub-processes together.
    fn count(&mut self, totals: Totals, clock: &mut LaneClock<'_>, facts: &mut RunFacts) {
        let before = std::mem::replace(&mut self.call.counted, totals);
        facts.usage += totals.usage.since(&before.usage);
        facts.steps = facts.steps.saturating_add(totals.steps.saturating_sub(before.steps));
        clock.add_time(totals.elapsed.saturating_sub(before.elapsed), facts);
    }

    fn count_running(&mut self, clock: &mut LaneClock<'_>, facts: &mut RunFacts) {
        if let Some(totals) = self.call.child.as_deref().map(ChildRun::totals) {
            self.count(totals, clock, facts);
        }
    }

    /// Applies the result of the sub-process.
    fn apply_ending(
        &mut self,
        ending: Ending<TaskIndex>,
        clock: &LaneClock<'_>,
        cx: &mut RunContext<'_>,
    ) -> SlotState {
        let Some(EndedChild { totals, result }) = self.call.end(ending) else {
            return SlotState::Waiting;
        };
        let Totals { usage, elapsed, .. } = totals;
        let failed = match result {
            Ok(state) => match self.accept(state, cx) {
                Ok(value) => return SlotState::Done(DoneItem { value, usage, elapsed }),
                Err(issues) => {
                    let reply = ReplyCost { text: "", usage, elapsed };
                    let failed = FailedAttempt { failure: Failure::Rejected, reply, issues };
                    Ok((failed, HaltReason::Exhausted))
                }
            },
            Err(failed) => failed.explain(usage, elapsed),
        };
        match failed {
            Ok((failed, reason)) => self.retry(failed, reason, clock.lane(), cx),
            Err(reason) => SlotState::Halted(reason),
        }
    }

    fn retry(
        &mut self,
        failed: FailedAttempt<'_>,
        reason: HaltReason,
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> SlotState {
        match self.call.retry(failed, reason, lane, cx) {
            Ok(()) => SlotState::Waiting,
            Err(reason) => SlotState::Failed(reason),
        }
    }

    /// Makes the final state the pending output. Returns it as JSON.
    fn accept(
        &self,
        state: Box<dyn Any>,
        cx: &mut RunContext<'_>,
    ) -> Result<serde_json::Value, Issues> {
        let task = cx.visit.task;
        cx.facts.attempt = self.call.attempts.number();
        cx.host.accept_child_state(task, state);
        cx.host.item_json(task).map_err(|error| {
            cx.host.discard_output();
            Issues::at("$", format!("can't be kept as JSON: {error}"))
        })
    }
}

impl Slot for ProcessItem {
    const KIND: SlotKind = SlotKind::Process;
    const IS_WRAPPED: bool = true;

    fn begin(item: usize, lane: Lane, cx: &mut RunContext<'_>) -> Result<Self, HaltReason> {
        Ok(Self { item, call: ChildAttempts::begin(Some(item), lane, cx)? })
    }

    fn restore(
        item: usize,
        mut data: PendingCall,
        cx: &SlotContext<'_>,
    ) -> Result<Self, SnapshotError> {
        let missing = || inconsistent("an item of a for-each task lacks its sub-process");
        let process = data.process.take().ok_or_else(missing)?;
        let attempts = Attempts::restore(&mut data);
        let (visit, run) = (cx.visit, cx.run);
        let scope = run.facts.scope_of_attempt(visit, Some(item), attempts.number());
        let child = run.host.restore_child(visit.task, *process, run.options, &scope)?;
        let child = child.ok_or_else(missing)?;
        let totals = child.totals();
        Ok(Self { item, call: ChildAttempts::restore(Some(item), attempts, child, totals) })
    }

    fn save(&self) -> Result<PendingCall, SnapshotError> {
        let child = self.call.child.as_ref().ok_or(SnapshotError::Idle)?;
        let pending = self.call.attempts.save(CallId(child.totals().last_call));
        let (item, process) = (Some(self.item), Some(Box::new(child.save()?)));
        Ok(PendingCall { item, process, ..pending })
    }

    fn advance(
        &mut self,
        clock: &mut LaneClock<'_>,
        cx: &mut RunContext<'_>,
        due: &mut DueDirectives<'_>,
    ) -> SlotState {
        loop {
            let ending = self.call.poll(clock.lane(), cx, due);
            self.count_running(clock, cx.facts);
            let Some(ending) = ending else { return SlotState::Waiting };
            match self.apply_ending(ending, clock, cx) {
                SlotState::Waiting => {}
                state => return state,
            }
        }
    }

    fn handle(
        &mut self,
        event: Event,
        clock: &mut LaneClock<'_>,
        cx: &mut RunContext<'_>,
    ) -> SlotHandled {
        let handled = self.call.handle(event, clock.lane(), cx);
        self.count_running(clock, cx.facts);
        SlotHandled { handled, state: SlotState::Waiting }
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        self.child().map_or(&NoCalls, ChildRun::open_calls)
    }

    fn child(&self) -> Option<&dyn ChildRun> {
        self.call.child.as_deref()
    }

    fn record_child(&mut self, on: bool) {
        if let Some(child) = &mut self.call.child {
            child.record(on);
        }
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        self.call.take_failed()
    }

    fn current_question(&self) -> Result<ModelQuestion, String> {
        Err("its sub-processes have the prompts".to_owned())
    }
}
