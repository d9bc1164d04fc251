//! The phase of a task that runs a sub-process.

use std::{any::Any, time::Duration};

use cot_model::Usage;
use cot_schema::Issues;

use crate::{
    process::{
        child::{ChildRun, ChildStart, DueDirectives, Totals},
        host::ProcessHost,
        tables::{Definition, TaskIndex},
    },
    protocol::{
        directive::CallId,
        event::{Event, EventOutcome},
        run_event::event::RunEvent,
    },
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunFacts, Visit},
        end::{PhaseHandled, TaskEnd},
        limits::expired_limit,
        phase::{question::ModelQuestion, task_phase::TaskPhase},
    },
    snapshot::{
        data::{Delivery, PositionData},
        error::SnapshotError,
    },
    values::{
        outcome::{Attempt, Ending, Failure, Halt, HaltReason, NestedFailure},
        panicked::PanicPlace,
    },
};

/// Runs a sub-process: a run within the run.
#[derive(Debug)]
pub(crate) struct SubProcessPhase {
    attempts: Attempts,
    /// The run; `None` while its result is applied.
    child: Option<Box<dyn ChildRun>>,
    /// The newest call, which belongs to the sub-process.
    last_call: CallId,
}

impl SubProcessPhase {
    /// Starts the sub-process of the task.
    pub(crate) fn begin(cx: &mut RunContext<'_>) -> Result<Self, TaskEnd> {
        let mut attempts = Attempts::default();
        let child = start(&mut attempts, cx)?;
        Ok(Self { attempts, child: Some(child), last_call: CallId(cx.facts.last_call) })
    }

    pub(crate) fn restore(attempts: Attempts, child: Box<dyn ChildRun>, last_call: CallId) -> Self {
        Self { attempts, child: Some(child), last_call }
    }

    /// Copies the call counter and forwards the events of the sub-process.
    fn forward_events(&mut self, cx: &mut RunContext<'_>) {
        let Some(child) = &mut self.child else { return };
        cx.facts.last_call = child.totals().last_call;
        self.last_call = CallId(cx.facts.last_call);
        let (task, process) = (cx.visit.task, child.definition().about.name);
        for event in child.drain_events() {
            let event = Box::new(event);
            cx.host.emit(|| RunEvent::Nested { task, process: process.into(), event });
        }
    }

    /// Applies the consumption and the result of the sub-process. Returns `None` if the sub-process is
    /// retried.
    fn apply_ending(
        &mut self,
        ending: Ending<TaskIndex>,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let child = self.child.take()?;
        let Totals { usage, steps, elapsed, .. } = child.totals();
        cx.facts.usage += usage;
        cx.facts.steps = cx.facts.steps.saturating_add(steps);
        cx.facts.add_time(elapsed);
        self.attempts.add_time(elapsed);
        match failure(child.definition(), ending) {
            None => self.commit_state(child.into_state(), (usage, elapsed), cx),
            // A panic in a function counts as an error of the function.
            Some(NestedFailure { reason: Some(HaltReason::Panicked(panic)), .. })
                if panic.place != PanicPlace::Function =>
            {
                Some(TaskEnd::halted(HaltReason::Panicked(panic), self.take_attempts()))
            }
            Some(nested) => {
                let issues = Issues::at("$", nested.why.clone());
                let reason = HaltReason::ProcessFailed(Box::new(nested));
                let reply = ReplyCost { text: "", usage, elapsed };
                let failed = FailedAttempt { failure: Failure::Failed, reply, issues };
                self.retry_or_fail(failed, reason, cx)
            }
        }
    }

    fn commit_state(
        &mut self,
        state: Box<dyn Any>,
        (usage, elapsed): (Usage, Duration),
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        cx.facts.attempt = self.attempts.number();
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
        let task = cx.visit.task;
        let limit = expired_limit(cx.facts.time_for_function(task, &self.attempts))
            .or_else(|| cx.facts.reached_limit())
            .or_else(|| cx.facts.exhausted_budget(0));
        let again = cx.has_retries(&self.attempts) && limit.is_none();
        self.attempts.record(AttemptTarget::task(task), failed, again, cx.host);
        if again {
            return match start(&mut self.attempts, cx) {
                Ok(child) => {
                    self.child = Some(child);
                    None
                }
                Err(end) => Some(end),
            };
        }
        // An exhausted limit is the cause of a failed sub-process.
        let reason = match (limit, reason) {
            (Some(limit), HaltReason::ProcessFailed(_)) => limit,
            (_, reason) => reason,
        };
        Some(TaskEnd::failed(reason, self.take_attempts()))
    }
}

/// Creates and starts the sub-process of a task.
fn start(attempts: &mut Attempts, cx: &mut RunContext<'_>) -> Result<Box<dyn ChildRun>, TaskEnd> {
    // Reserves a call id, as the other phases do.
    cx.facts.new_call();
    cx.facts.attempt = attempts.number();
    let (task, facts) = (cx.visit.task, &*cx.facts);
    let child = cx.host.create_child(task, &facts.scope(cx.visit, None));
    let started = child.ok_or_else(|| {
        "the initial state of its sub-process reads inputs that are missing".to_owned()
    });
    let started = started.and_then(|mut child| {
        let mode = facts.options.mock_mode.as_ref();
        let start = ChildStart {
            goal: &facts.goal,
            mock_mode: mode.map(|mode| mode.within(facts.definition.task(task)).clone()),
            fallback: facts.options.fallback,
            outer: facts.path_within(cx.visit, attempts.number()),
            limits: facts.child_limits(cx.visit, attempts),
            last_call: facts.last_call,
            is_recording: cx.host.is_recording(),
        };
        match child.start(start) {
            Ok(()) => Ok(child),
            Err(error) => {
                let name = child.definition().about.name;
                Err(format!("its sub-process {name} can't start: {error}"))
            }
        }
    });
    started.map_err(|why| {
        TaskEnd::failed(HaltReason::Template(why), std::mem::take(&mut attempts.failed))
    })
}

/// Returns the failure of a sub-process, if its ending is one.
fn failure(definition: &'static Definition, ending: Ending<TaskIndex>) -> Option<NestedFailure> {
    let process = definition.about.name.to_owned();
    let name = |task: usize| definition.task(task).about.name.to_owned();
    match ending {
        Ending::End(_) | Ending::RanOut(_) => None,
        Ending::Fail(task, why) => Some(NestedFailure {
            process,
            task: name(task),
            reason: None,
            why,
            attempts: Vec::new(),
        }),
        Ending::Halted(Halt { task, reason, attempts }) => Some(NestedFailure {
            process,
            task: name(task),
            why: reason.to_string(),
            reason: Some(reason),
            attempts,
        }),
    }
}

impl TaskPhase for SubProcessPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        loop {
            let before = due.len();
            let child = self.child.as_mut()?;
            child.skip_calls(cx.facts.last_call);
            let ending = child.poll(due);
            self.forward_events(cx);
            match ending {
                None => {
                    due.set_task(before, cx.visit.task);
                    return None;
                }
                Some(ending) => {
                    if let Some(end) = self.apply_ending(ending, cx) {
                        return Some(end);
                    }
                }
            }
        }
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        let Some(child) = &mut self.child else { return PhaseHandled::STALE };
        child.skip_calls(cx.facts.last_call);
        let handled = child.handle(event);
        self.forward_events(cx);
        let handled = match handled {
            // The sub-process has ended; the run continues at the next poll.
            EventOutcome::NotRunning => EventOutcome::Stale,
            handled => handled,
        };
        PhaseHandled { handled, end: None }
    }

    fn is_pending(&self, id: CallId) -> bool {
        self.child.as_ref().is_some_and(|child| child.is_pending(id))
    }

    fn pending_calls(&self) -> usize {
        self.child.as_ref().map_or(0, |child| child.pending_calls())
    }

    fn waits_for_person(&self) -> bool {
        self.child.as_ref().is_some_and(|child| child.waits_for_person())
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.attempts.failed)
    }

    fn child(&self) -> Option<&dyn ChildRun> {
        self.child.as_deref()
    }

    fn child_mut(&mut self) -> Option<&mut (dyn ChildRun + 'static)> {
        self.child.as_deref_mut()
    }

    fn current_question(
        &self,
        _: &RunFacts,
        _: &Visit,
        _: &dyn ProcessHost,
    ) -> Result<ModelQuestion, String> {
        Err("its sub-process has the prompt".to_owned())
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let pending = self.attempts.save(self.last_call);
        let child = self.child.as_ref().ok_or(SnapshotError::Idle)?;
        Ok(PositionData::Within { visit, pending, process: Box::new(child.save()?) })
    }
}
