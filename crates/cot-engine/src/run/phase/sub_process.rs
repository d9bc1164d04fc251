//! The phase of a task that runs a sub-process.

use std::{any::Any, time::Duration};

use cot_model::Usage;

use crate::{
    process::{
        child::{ChildRun, DueDirectives, Totals},
        tables::TaskIndex,
    },
    protocol::{
        directive::CallId,
        event::{Event, EventOutcome},
        open_calls::{NoCalls, OpenCalls},
    },
    run::{
        attempts::{Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunView},
        end::{PhaseHandled, TaskEnd},
        phase::{
            child_call::{ChildAttempts, EndedChild},
            question::ModelQuestion,
            task_phase::TaskPhase,
        },
    },
    snapshot::{
        data::{Delivery, PositionData},
        error::SnapshotError,
    },
    values::outcome::{Attempt, Ending, Failure, HaltReason},
};

/// Runs a sub-process: a run within the run.
#[derive(Debug)]
pub(crate) struct SubProcessPhase {
    call: ChildAttempts,
}

impl SubProcessPhase {
    /// Starts the sub-process of the task.
    pub(crate) fn begin(cx: &mut RunContext<'_>) -> Result<Self, TaskEnd> {
        let call = ChildAttempts::begin(None, cx.facts.only_lane(), cx);
        let call = call.map_err(|reason| TaskEnd::failed(reason, Vec::new()))?;
        Ok(Self { call })
    }

    pub(crate) fn restore(attempts: Attempts, child: Box<dyn ChildRun>) -> Self {
        Self { call: ChildAttempts::restore(None, attempts, child, Totals::default()) }
    }

    /// Applies the consumption and the result of the sub-process. Returns `None` if the sub-process is
    /// retried.
    fn apply_ending(
        &mut self,
        ending: Ending<TaskIndex>,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let EndedChild { totals, result } = self.call.end(ending)?;
        let Totals { usage, steps, elapsed, .. } = totals;
        cx.facts.usage += usage;
        cx.facts.steps = cx.facts.steps.saturating_add(steps);
        cx.facts.add_time(elapsed);
        let failed = match result {
            Ok(state) => return self.commit_state(state, (usage, elapsed), cx),
            Err(failed) => failed.explain(usage, elapsed),
        };
        match failed {
            Ok((failed, reason)) => self.retry_or_fail(failed, reason, cx),
            Err(reason) => Some(TaskEnd::halted(reason, self.take_attempts())),
        }
    }

    fn commit_state(
        &mut self,
        state: Box<dyn Any>,
        (usage, elapsed): (Usage, Duration),
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        cx.facts.attempt = self.call.attempts.number();
        cx.host.accept_child_state(cx.visit.task, state);
        match cx.commit(usage, elapsed) {
            Ok(end) => Some(end),
            Err(issues) => {
                cx.host.discard_output();
                let reply = ReplyCost { text: "", usage, elapsed };
                let failed = FailedAttempt { failure: Failure::Rejected, reply, issues };
                self.retry_or_fail(failed, HaltReason::Exhausted, cx)
            }
        }
    }

    /// Records a failed attempt, and runs the sub-process again or fails the task.
    fn retry_or_fail(
        &mut self,
        failed: FailedAttempt<'_>,
        reason: HaltReason,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let retried = self.call.retry(failed, reason, cx.facts.only_lane(), cx);
        retried.err().map(|reason| TaskEnd::failed(reason, self.take_attempts()))
    }
}

impl TaskPhase for SubProcessPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        loop {
            let ending = self.call.poll(cx.facts.only_lane(), cx, due)?;
            if let Some(end) = self.apply_ending(ending, cx) {
                return Some(end);
            }
        }
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        let handled: EventOutcome = self.call.handle(event, cx.facts.only_lane(), cx);
        PhaseHandled { handled, end: None }
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        self.child().map_or(&NoCalls, ChildRun::open_calls)
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        self.call.take_failed()
    }

    fn child(&self) -> Option<&dyn ChildRun> {
        self.call.child.as_deref()
    }

    fn record_children(&mut self, on: bool) {
        if let Some(child) = &mut self.call.child {
            child.record(on);
        }
    }

    fn current_question(&self, _: RunView<'_>) -> Result<ModelQuestion, String> {
        Err("its sub-process has the prompt".to_owned())
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let child = self.call.child.as_ref().ok_or(SnapshotError::Idle)?;
        let pending = self.call.attempts.save(CallId(child.totals().last_call));
        Ok(PositionData::Within { visit, pending, process: Box::new(child.save()?) })
    }
}
