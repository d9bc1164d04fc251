//! Handles failed tasks and halts runs.

use cot_model::EffectError;

use crate::{
    process::{host::ProcessHost, tables::TaskIndex},
    protocol::{
        event::EventOutcome,
        run_event::{event::RunEvent, route::Route},
    },
    run::{
        context::{Arrival, RunFacts},
        end::TaskFailure,
        position::Position,
        track::Track,
    },
    values::{
        outcome::{Attempt, Ending, Failure, Halt, HaltReason},
        panicked::PanicPlace,
    },
};

/// The route of `on` for an exhausted budget.
const BUDGET: &str = "budget";
/// The route of `on` for a call of which it is not known whether it took effect.
const INTERRUPTED: &str = "interrupted";

impl Track<'_> {
    /// Follows the task's route for the failure, or halts. Nothing is committed.
    pub(crate) fn fail(
        &mut self,
        task: TaskIndex,
        failure: TaskFailure,
        host: &mut dyn ProcessHost,
    ) {
        let facts = &mut *self.facts;
        let route = route_for(facts, task, &failure).filter(|_| !facts.is_alone);
        let Some((name, target)) = route else {
            return self.halt(task, failure, host);
        };
        if name == BUDGET && !facts.out_of_budget.insert(task) {
            return self.halt(task, failure, host);
        }
        let TaskFailure { reason, attempts } = failure;
        facts.last_failure = Some(Halt { task, reason, attempts });
        host.discard_output();
        host.emit(|| RunEvent::TaskFinished { task, next: Some(target), route: Route::On(name) });
        facts.callers.unwind(target);
        *self.position = Position::BetweenTasks(Arrival::new(target, None));
    }

    pub(crate) fn halt(
        &mut self,
        task: TaskIndex,
        failure: TaskFailure,
        host: &mut dyn ProcessHost,
    ) {
        let TaskFailure { reason, attempts } = failure;
        self.end(Ending::Halted(Halt { task, reason, attempts }), host);
    }

    /// Ends the run at the task of the ending, and emits that the task finished.
    pub(crate) fn end(&mut self, ending: Ending<TaskIndex>, host: &mut dyn ProcessHost) {
        let task = ending.task();
        host.emit(|| RunEvent::TaskFinished { task, next: None, route: Route::End });
        self.finish(ending, host);
    }

    pub(crate) fn finish(&mut self, ending: Ending<TaskIndex>, host: &mut dyn ProcessHost) {
        let (usage, elapsed) = (self.facts.usage, self.facts.elapsed);
        if self.join.is_none() {
            host.emit(|| RunEvent::Finished { ending: ending.clone(), usage, elapsed });
        }
        *self.position = Position::Finished(ending);
    }

    pub(crate) fn cancel(&mut self, reason: String, host: &mut dyn ProcessHost) -> EventOutcome {
        self.facts.current_inputs = self.position.inputs().cloned();
        self.halt_here(HaltReason::Cancelled(reason), host);
        EventOutcome::Applied
    }

    /// Halts the run because of a panic. Discards the pending output.
    pub(crate) fn halt_panicked(&mut self, message: &str, host: &mut dyn ProcessHost) {
        let place: PanicPlace = host.panic_place();
        let reason =
            HaltReason::Panicked(Box::new(self.position.panic_report(self.facts, message, place)));
        host.discard_output();
        self.halt_here(reason, host);
    }

    /// Halts the run at the current task, and adds the consumption of its sub-process.
    fn halt_here(&mut self, reason: HaltReason, host: &mut dyn ProcessHost) {
        let totals = self.facts.totals(self.position);
        let facts = &mut *self.facts;
        (facts.usage, facts.steps, facts.elapsed) = (totals.usage, totals.steps, totals.elapsed);
        let task = self.position.task();
        let attempts = match &mut *self.position {
            Position::InTask { phase, .. } => {
                let phase = phase.as_dyn_mut();
                let is_open = facts.once.open.iter().any(|id| phase.open_calls().contain(*id));
                let mut attempts = phase.take_attempts();
                if is_open {
                    let number = attempts.last().map_or(1, |last| last.number.saturating_add(1));
                    attempts.push(Attempt::new(number, Failure::Interrupted));
                }
                attempts
            }
            _ => Vec::new(),
        };
        self.halt(task, TaskFailure { reason, attempts }, host);
    }
}

/// Returns the route of a task for a failure, with the name of the route. A time-out after which it is not known whether a
/// call took effect can take either route, and so can a sub-process that was interrupted.
fn route_for(
    facts: &RunFacts,
    task: TaskIndex,
    TaskFailure { reason, attempts }: &TaskFailure,
) -> Option<(&'static str, TaskIndex)> {
    let routes = &facts.definition.task(task).on;
    let find = |name| routes.named().find(|(route, _)| *route == name);
    let name = failure_name(reason, routes.unreachable.is_some())?;
    let is_unknown = || attempts.last().is_some_and(|last| last.failure == Failure::Interrupted);
    match reason.is_interrupted() {
        true => find(INTERRUPTED).or_else(|| find(name)),
        false => find(name).or_else(|| find(INTERRUPTED).filter(|_| is_unknown())),
    }
}

/// Returns the route of `on` for a reason; `None` for a reason that halts the run whatever the routes are.
pub(crate) fn failure_name(reason: &HaltReason, has_unreachable: bool) -> Option<&'static str> {
    Some(match reason {
        // A failed function counts as unreachable, or without that route as exhausted.
        HaltReason::CodeFailed(error)
            if has_unreachable && error.outcome() != EffectError::Done =>
        {
            "unreachable"
        }
        HaltReason::Exhausted
        | HaltReason::ToolCalls(_)
        | HaltReason::TooManyItems { .. }
        | HaltReason::CodeFailed(_)
        | HaltReason::ProcessFailed(_) => "exhausted",
        HaltReason::Panicked(panic) if panic.place == PanicPlace::Function => "exhausted",
        HaltReason::Unreachable(_) => "unreachable",
        HaltReason::Truncated => "truncated",
        HaltReason::Refused(_) => "refused",
        HaltReason::TaskTimeout(_) => "timeout",
        HaltReason::Interrupted => INTERRUPTED,
        HaltReason::Budget(_) => BUDGET,
        HaltReason::ItemFailed(failed) => return failure_name(&failed.reason, has_unreachable),
        HaltReason::BranchFailed(failed) => match &failed.reason {
            Some(reason) => return failure_name(reason, has_unreachable),
            None => "exhausted",
        },
        _ => return None,
    })
}
