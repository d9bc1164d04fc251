//! The attempts at a sub-process, each a run within the run.

use std::{any::Any, mem, time::Duration};

use cot_model::Usage;
use cot_schema::Issues;

use crate::{
    process::{
        child::{ChildRun, ChildStart, DueDirectives, SharedLimits, Totals},
        tables::{Definition, TaskIndex},
    },
    protocol::{
        event::{Event, EventOutcome},
        run_event::event::RunEvent,
    },
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::RunContext,
        limits::{Lane, expired_limit},
    },
    values::{
        outcome::{Attempt, Ending, Failure, Halt, HaltReason, NestedFailure},
        panicked::PanicPlace,
    },
};

/// Runs a sub-process for a task or an item, again after a failure if the task allows it.
#[derive(Debug)]
pub(crate) struct ChildAttempts {
    pub(crate) attempts: Attempts,
    /// The run; `None` while its result is applied.
    pub(crate) child: Option<Box<dyn ChildRun>>,
    /// The number of the item, in a for-each task.
    item: Option<usize>,
    /// The part of the consumption of the sub-process that the run has counted.
    pub(crate) counted: Totals,
    /// Whether the sub-process has ended with a call that took effect or may have, and is not to be repeated.
    has_acted: bool,
}

/// A sub-process that is over.
pub(crate) struct EndedChild {
    pub(crate) totals: Totals,
    pub(crate) result: Result<Box<dyn Any>, FailedChild>,
}

/// The failure of a sub-process.
pub(crate) enum FailedChild {
    Failed(Box<NestedFailure>),
    /// Code of the sub-process panicked, which halts the run.
    Panicked(HaltReason),
}

impl ChildAttempts {
    /// Starts the sub-process of a task or an item.
    ///
    /// # Errors
    ///
    /// If the sub-process can't start.
    pub(crate) fn begin(
        item: Option<usize>,
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> Result<Self, HaltReason> {
        let (attempts, counted) = (Attempts::default(), Totals::default());
        let mut call = Self { attempts, child: None, item, counted, has_acted: false };
        call.start(lane, cx)?;
        Ok(call)
    }

    /// Restores a sub-process, with the part of its consumption that the run has counted.
    pub(crate) const fn restore(
        item: Option<usize>,
        attempts: Attempts,
        child: Box<dyn ChildRun>,
        counted: Totals,
    ) -> Self {
        Self { attempts, child: Some(child), item, counted, has_acted: false }
    }

    fn start(&mut self, lane: Lane, cx: &mut RunContext<'_>) -> Result<(), HaltReason> {
        // Reserves a call id, as the other phases do.
        cx.facts.new_call();
        self.counted = Totals::default();
        cx.facts.attempt = self.attempts.number();
        let (task, facts) = (cx.visit.task, &*cx.facts);
        let child = cx.host.create_child(task, &facts.scope(cx.visit, self.item));
        let Some(mut child) = child else {
            let why = "the initial state of its sub-process reads inputs that are missing";
            return Err(HaltReason::Template(why.to_owned()));
        };
        let mode = facts.options.mock_mode.as_ref();
        let started = child.start(ChildStart {
            goal: &facts.goal,
            mock_mode: mode.map(|mode| mode.within(facts.definition.task(task)).clone()),
            fallback: facts.options.fallback,
            outer: facts.path_within(cx.visit, self.item, self.attempts.number()),
            limits: facts.child_limits(task, self.attempts.spent, lane, &self.counted),
            unattended: facts.child_unattended(&self.counted),
            last_call: facts.last_call,
            is_recording: cx.host.is_recording(),
        });
        if let Err(error) = started {
            let name = child.definition().about.name;
            let why = format!("its sub-process {name} can't start: {error}");
            return Err(HaltReason::Template(why));
        }
        self.child = Some(child);
        Ok(())
    }

    /// Advances the sub-process until it needs the driver. Returns its ending once it is over.
    pub(crate) fn poll(
        &mut self,
        lane: Lane,
        cx: &mut RunContext<'_>,
        due: &mut DueDirectives<'_>,
    ) -> Option<Ending<TaskIndex>> {
        self.share(lane, cx);
        let before = due.len();
        let ending = self.child.as_mut()?.poll(due);
        self.forward_events(cx);
        due.set_task(before, cx.visit.task);
        ending
    }

    /// Applies an event to the sub-process.
    pub(crate) fn handle(
        &mut self,
        event: Event,
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> EventOutcome {
        self.share(lane, cx);
        let Some(child) = &mut self.child else { return EventOutcome::Stale };
        let (is_result, before) = (matches!(event, Event::Ran { .. }), child.totals().acted);
        let handled = child.handle(event);
        if is_result {
            // Only an accepted result of a transaction adds to them; the start of a call that is made once was counted.
            cx.facts.once.acted += child.totals().acted.saturating_sub(before);
        }
        self.forward_events(cx);
        match handled {
            // The sub-process has ended; the run continues at the next poll.
            EventOutcome::NotRunning => EventOutcome::Stale,
            handled => handled,
        }
    }

    /// Returns the result of the sub-process after its ending, and adds its time to that of the attempts.
    pub(crate) fn end(&mut self, ending: Ending<TaskIndex>) -> Option<EndedChild> {
        let child = self.child.take()?;
        let totals = child.totals();
        self.attempts.add_time(totals.elapsed);
        self.has_acted = totals.acted > 0;
        let result = match failure(child.definition(), ending) {
            None => Ok(child.into_state()),
            // A panic in a function counts as an error of the function.
            Some(NestedFailure { reason: Some(HaltReason::Panicked(panic)), .. })
                if panic.place != PanicPlace::Function =>
            {
                Err(FailedChild::Panicked(HaltReason::Panicked(panic)))
            }
            Some(nested) => Err(FailedChild::Failed(Box::new(nested))),
        };
        Some(EndedChild { totals, result })
    }

    /// Records a failed attempt, and starts the sub-process again if the task allows it and no call that is made once, or
    /// whose rows are committed, would be made again. Otherwise returns the reason to halt.
    pub(crate) fn retry(
        &mut self,
        failed: FailedAttempt<'_>,
        reason: HaltReason,
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> Result<(), HaltReason> {
        let task = cx.visit.task;
        let spent = self.attempts.spent;
        let limit = expired_limit(cx.facts.time_left(task, spent, lane.elapsed))
            .or_else(|| cx.facts.reached_limit())
            .or_else(|| cx.facts.exhausted_budget(lane.others));
        let again = cx.has_retries(&self.attempts) && limit.is_none() && !self.has_acted;
        let target = AttemptTarget { task, item: self.item, engine: None };
        self.attempts.record(target, failed, again, cx.host);
        if again {
            return self.start(lane, cx);
        }
        // An exhausted limit is the cause of a failed sub-process.
        Err(match (limit, reason) {
            (Some(limit), HaltReason::ProcessFailed(_)) => limit,
            (_, reason) => reason,
        })
    }

    /// Takes the failed attempts.
    pub(crate) fn take_failed(&mut self) -> Vec<Attempt> {
        mem::take(&mut self.attempts.failed)
    }

    /// Passes on what the sub-process shares with the run and its other sub-processes.
    fn share(&mut self, lane: Lane, cx: &RunContext<'_>) {
        let facts = &*cx.facts;
        let limits = facts.child_limits(cx.visit.task, self.attempts.spent, lane, &self.counted);
        let unattended = facts.child_unattended(&self.counted);
        if let Some(child) = &mut self.child {
            child.share(SharedLimits { limits, unattended, last_call: facts.last_call });
        }
    }

    /// Copies the call counter and forwards the events of the sub-process.
    fn forward_events(&mut self, cx: &mut RunContext<'_>) {
        let Some(child) = &mut self.child else { return };
        cx.facts.last_call = child.totals().last_call;
        let (task, item, attempt) = (cx.visit.task, self.item, self.attempts.number());
        let process = child.definition().about.name;
        for event in child.drain_events() {
            let (process, event) = (process.into(), Box::new(event));
            cx.host.emit(|| RunEvent::Nested { task, item, attempt, process, event });
        }
    }
}

impl FailedChild {
    /// Returns the attempt that failed and the reason to halt; an error if the run halts at once.
    pub(crate) fn explain(
        self,
        usage: Usage,
        elapsed: Duration,
    ) -> Result<(FailedAttempt<'static>, HaltReason), HaltReason> {
        match self {
            Self::Panicked(reason) => Err(reason),
            Self::Failed(nested) => {
                let issues = Issues::at("$", nested.why.clone());
                let reply = ReplyCost { text: "", usage, elapsed };
                let is_unknown =
                    nested.attempts.iter().any(|made| made.failure == Failure::Interrupted);
                let reason = HaltReason::ProcessFailed(nested);
                let failure = match is_unknown || reason.is_interrupted() {
                    true => Failure::Interrupted,
                    false => Failure::Failed,
                };
                Ok((FailedAttempt { failure, reply, issues }, reason))
            }
        }
    }
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
