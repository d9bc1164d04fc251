//! The phase of a code task.

use std::time::Duration;

use cot_schema::{Issues, internal::UntypedOutput};
use serde_json::Value;

use crate::{
    process::{child::DueDirectives, effect::Effect, host::ProcessHost, tables::TaskKind},
    protocol::{
        directive::{Action, CallId, FunctionCall},
        event::Event,
        run_event::event::RunEvent,
    },
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunFacts, Visit},
        end::{PhaseHandled, TaskEnd},
        limits::{expired_limit, timeout_reason},
        phase::{question::ModelQuestion, task_phase::TaskPhase},
    },
    snapshot::{
        data::{Delivery, PositionData},
        error::SnapshotError,
    },
    values::{
        function_error::FunctionError,
        outcome::{Attempt, Failure, HaltReason},
        panicked::PanicPlace,
    },
};

/// Waits for a function, or for the pause before its retry.
#[derive(Debug)]
pub(crate) struct FunctionPhase {
    attempts: Attempts,
    id: CallId,
    /// The function call; created at the first poll.
    function: Option<FunctionCall>,
    /// Whether the pending call is the pause before the next attempt.
    is_pausing: bool,
    /// Whether the start of a call that is made once was announced.
    is_started: bool,
}

impl FunctionPhase {
    pub(crate) const fn begin(cx: &mut RunContext<'_>) -> Self {
        let id = cx.facts.new_call();
        let attempts = Attempts { failed: Vec::new(), spent: Duration::ZERO };
        Self { attempts, id, function: None, is_pausing: false, is_started: false }
    }

    pub(crate) const fn restore(
        id: CallId,
        attempts: Attempts,
        (is_pausing, is_started): (bool, bool),
    ) -> Self {
        Self { attempts, id, function: None, is_pausing, is_started }
    }

    /// Returns the maximum pause after the attempts that have failed.
    fn pause(&self, cx: &RunContext<'_>) -> Duration {
        cx.facts
            .definition
            .task(cx.visit.task)
            .retry
            .pause(self.attempts.number().saturating_sub(1))
    }

    fn add_time(&mut self, elapsed: Duration, cx: &mut RunContext<'_>) {
        self.attempts.add_time(elapsed);
        cx.facts.add_time(elapsed);
    }

    /// Applies the result of the function.
    fn apply_result(
        &mut self,
        result: Result<Value, FunctionError>,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let (failure, reason, issues) = match result {
            Ok(value) => match commit_result(value, elapsed, cx) {
                Ok(end) => return Some(end),
                Err(issues) => (Failure::Rejected, HaltReason::Exhausted, issues),
            },
            // The call may have taken effect, or has.
            Err(error) if effect(cx) == Effect::Once && !error.is_returned() => {
                let issues = Issues::at("$", error.to_string());
                (Failure::Interrupted, HaltReason::Interrupted, issues)
            }
            Err(error) => {
                let issues = Issues::at("$", error.to_string());
                let reason = cx.function_failure(error, PanicPlace::Function);
                (Failure::Failed, reason, issues)
            }
        };
        cx.host.discard_output();
        let reply = ReplyCost::without_reply(elapsed);
        self.retry_or_fail(FailedAttempt { failure, reply, issues }, reason, cx)
    }

    /// Records a failed attempt, and starts the pause before the next one or fails the task.
    fn retry_or_fail(
        &mut self,
        failed: FailedAttempt<'_>,
        reason: HaltReason,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let task = cx.visit.task;
        let timeouts = cx.facts.definition.task(task).retry.timeouts;
        let again = cx.has_retries(&self.attempts)
            && expired_limit(cx.facts.time_for_function(task, &self.attempts)).is_none()
            && (failed.failure != Failure::TimedOut || timeouts)
            && (effect(cx) == Effect::Repeatable || failed.failure == Failure::Failed);
        self.attempts.record(AttemptTarget::task(task), failed, again, cx.host);
        if !again {
            return Some(TaskEnd::failed(reason, self.take_attempts()));
        }
        let duration = self.pause(cx);
        cx.host.emit(|| RunEvent::Waiting { task, duration });
        (self.id, self.function, self.is_pausing) = (cx.facts.new_call(), None, true);
        self.is_started = false;
        None
    }
}

fn effect(cx: &RunContext<'_>) -> Effect {
    match cx.facts.definition.task(cx.visit.task).kind {
        TaskKind::Code(effect) => effect,
        _ => Effect::Repeatable,
    }
}

/// Commits the value that a function returned.
fn commit_result(
    value: Value,
    elapsed: Duration,
    cx: &mut RunContext<'_>,
) -> Result<TaskEnd, Issues> {
    if cx.host.has_output(cx.visit.task) {
        cx.read(UntypedOutput::Value(value))?;
        return cx.commit(cot_model::Usage::default(), elapsed);
    }
    Ok(TaskEnd::Done(cx.facts.route_from(cx.visit, None, cx.host)))
}

/// Returns the function of a task, or a call that returns its mock answer.
fn function(cx: &RunContext<'_>) -> FunctionCall {
    match cx.mock(None) {
        Ok(Some(mock)) => FunctionCall::ready(Ok(mock)),
        Ok(None) => match cx.host.function(cx.visit.task, &cx.facts.scope(cx.visit, None)) {
            Some(function) => FunctionCall::new(function).with_effect(effect(cx)),
            None => FunctionCall::ready(Ok(Value::Null)),
        },
        Err(why) => FunctionCall::ready(Err(FunctionError::new(why))),
    }
}

impl TaskPhase for FunctionPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        let call = (self.id, self.attempts.number());
        if self.is_pausing {
            due.push(cx.directive(call, None, Action::pause(self.pause(cx))));
            return None;
        }
        let left = cx.facts.time_for_function(cx.visit.task, &self.attempts);
        cx.facts.attempt = self.attempts.number();
        let function = self.function.get_or_insert_with(|| function(cx));
        let action = Action::RunFunction(function.clone().started(self.is_started));
        due.push(cx.directive(call, left.map(|(left, _)| left), action));
        None
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        if event.id() != Some(self.id) {
            return PhaseHandled::STALE;
        }
        cx.facts.attempt = self.attempts.number();
        let end = match event {
            Event::Woken { .. } if self.is_pausing => {
                (self.id, self.is_pausing) = (cx.facts.new_call(), false);
                None
            }
            Event::Started { .. } if !self.is_pausing && !self.is_started => {
                self.is_started = true;
                None
            }
            Event::Interrupted { .. } if !self.is_pausing && self.is_started => {
                let reason = HaltReason::Interrupted;
                let issues = Issues::at("$", reason.to_string());
                let reply = ReplyCost::without_reply(Duration::ZERO);
                let failed = FailedAttempt { failure: Failure::Interrupted, reply, issues };
                self.retry_or_fail(failed, reason, cx)
            }
            Event::Ran { result, elapsed, .. } if !self.is_pausing => {
                self.add_time(elapsed, cx);
                self.apply_result(result, elapsed, cx)
            }
            Event::TimedOut { elapsed, .. } if !self.is_pausing => {
                let limit = cx.facts.time_for_function(cx.visit.task, &self.attempts);
                let reason = timeout_reason(limit);
                self.add_time(elapsed, cx);
                let issues = Issues::at("$", reason.to_string());
                let reply = ReplyCost::without_reply(elapsed);
                let failed = FailedAttempt { failure: Failure::TimedOut, reply, issues };
                self.retry_or_fail(failed, reason, cx)
            }
            _ => return PhaseHandled::STALE,
        };
        PhaseHandled::applied(end)
    }

    fn is_pending(&self, id: CallId) -> bool {
        self.id == id
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.attempts.failed)
    }

    fn current_question(
        &self,
        _: &RunFacts,
        _: &Visit,
        _: &dyn ProcessHost,
    ) -> Result<ModelQuestion, String> {
        Err("a function has no prompt".to_owned())
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let pending = self.attempts.save(self.id);
        let Self { is_pausing, is_started, .. } = *self;
        Ok(PositionData::Running { visit, pending, is_pausing, is_started })
    }
}
