//! The attempts at a function: its calls, and the pauses between them.

use std::time::Duration;

use cot_model::{EffectError, FunctionError};
use cot_schema::Issues;
use serde_json::Value;

use crate::{
    process::{effect::Effect, retry::RetryDefinition, tables::TaskDefinition},
    protocol::{
        directive::{Action, CallId, Directive, FunctionCall},
        event::Event,
        run_event::event::RunEvent,
    },
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt},
        context::{RunContext, RunFacts},
        limits::{TimeLeft, expired_limit, timeout_reason},
    },
    snapshot::data::PendingCall,
    values::{
        outcome::{Failure, HaltReason},
        panicked::PanicPlace,
    },
};

/// The rules for the calls of a function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallPolicy {
    pub(crate) effect: Effect,
    pub(crate) max_retries: u32,
    pub(crate) retry: RetryDefinition,
    /// The time limit of all attempts together; of each attempt if timeouts are retried.
    pub(crate) timeout: Option<Duration>,
}

/// Waits for a function, or for the pause before its next attempt.
#[derive(Debug, Clone)]
pub(crate) struct FunctionAttempts {
    pub(crate) attempts: Attempts,
    pub(crate) id: CallId,
    /// The number of the item, in a for-each task.
    item: Option<usize>,
    /// The function call; created with its first directive.
    function: Option<FunctionCall>,
    /// Whether the pending call is the pause before the next attempt.
    is_pausing: bool,
    /// Whether the start of a call that is made once was announced.
    is_started: bool,
}

/// The answer to a call.
pub(crate) enum FunctionAnswer {
    /// The start of the call was announced, or a pause is over: there is another directive.
    Proceed,
    /// The function returned a value.
    Returned(Value),
    Failed(FailedCall),
}

/// A call without a usable result.
pub(crate) enum FailedCall {
    /// The function failed or panicked.
    Failed(FunctionError),
    /// The time limit passed.
    TimedOut(HaltReason),
    /// It is not known whether a call that is made once took effect.
    Interrupted(String),
}

impl CallPolicy {
    /// Returns the rules for the function of a task.
    pub(crate) fn for_task(task: &TaskDefinition) -> Self {
        Self {
            effect: task.kind.effect(),
            // Only retries that the task itself declares count, since a repetition may act twice.
            max_retries: task.max_retries.unwrap_or(0),
            retry: task.retry,
            timeout: task.timeout,
        }
    }

    /// Returns the remaining time of an attempt. `run` is the elapsed time of the run as the call sees it.
    fn time_left(&self, attempts: &Attempts, run: Duration, facts: &RunFacts) -> Option<TimeLeft> {
        let spent = if self.retry.timeouts { Duration::ZERO } else { attempts.spent };
        facts.limit_left(self.timeout, spent, run)
    }
}

impl FailedCall {
    /// Returns the failure of the attempt, the reason to halt, and the issues.
    pub(crate) fn explain(self, cx: &RunContext<'_>) -> (Failure, HaltReason, Issues) {
        match self {
            Self::Failed(error) => {
                let (failure, issues) =
                    (attempt_failure(&error), Issues::at("$", error.to_string()));
                (failure, cx.function_failure(error, PanicPlace::Function), issues)
            }
            Self::TimedOut(reason) => {
                let issues = Issues::at("$", reason.to_string());
                (Failure::TimedOut, reason, issues)
            }
            Self::Interrupted(why) => {
                (Failure::Interrupted, HaltReason::Interrupted, Issues::at("$", why))
            }
        }
    }
}

impl FunctionAttempts {
    /// Creates the first attempt for a task or an item. `id` is the id of its call.
    pub(crate) const fn new(id: CallId, item: Option<usize>) -> Self {
        let attempts = Attempts { failed: Vec::new(), spent: Duration::ZERO };
        Self { attempts, id, item, function: None, is_pausing: false, is_started: false }
    }

    /// Restores the attempts from snapshot data, whose call id was checked.
    pub(crate) fn restore(mut pending: PendingCall) -> Self {
        let PendingCall { call: id, item, is_pausing, is_started, .. } = pending;
        let attempts = Attempts::restore(&mut pending);
        Self { attempts, id, item, function: None, is_pausing, is_started }
    }

    /// Returns the attempts as snapshot data.
    pub(crate) fn save(&self) -> PendingCall {
        let Self { item, is_pausing, is_started, .. } = *self;
        PendingCall { item, is_pausing, is_started, ..self.attempts.save(self.id) }
    }

    /// Returns the directive of the call or of the pause. `function` creates the call of an attempt; `run` is
    /// the elapsed time of the run as the call sees it.
    pub(crate) fn directive(
        &mut self,
        policy: &CallPolicy,
        run: Duration,
        cx: &mut RunContext<'_>,
        function: impl FnOnce(&RunContext<'_>) -> FunctionCall,
    ) -> Directive {
        let number = self.attempts.number();
        if self.is_pausing {
            let pause = Action::pause(self.pause(policy));
            return cx.item_directive(self.item, (self.id, number), None, pause);
        }
        let left = policy.time_left(&self.attempts, run, cx.facts).map(|(left, _)| left);
        cx.facts.attempt = number;
        let function = self.function.get_or_insert_with(|| function(cx));
        let mut function = function.clone().started(self.is_started);
        if self.is_started {
            // The present version may declare another effect, or a mock.
            function = function.with_effect(Effect::Once);
        }
        let action = Action::RunFunction(function);
        cx.item_directive(self.item, (self.id, number), left, action)
    }

    /// Applies an event. Returns the answer that it contains, and the duration of the call; `None` if the event
    /// does not answer the pending call.
    pub(crate) fn answer(
        &mut self,
        event: Event,
        policy: &CallPolicy,
        run: Duration,
        cx: &mut RunContext<'_>,
    ) -> Option<(FunctionAnswer, Duration)> {
        event.id().filter(|id| *id == self.id)?;
        let (answer, elapsed) = match event {
            Event::Woken { .. } if self.is_pausing => {
                (self.id, self.is_pausing) = (cx.facts.new_call(), false);
                (FunctionAnswer::Proceed, Duration::ZERO)
            }
            _ if self.is_pausing => return None,
            Event::Started { .. } if !self.is_started => {
                self.is_started = true;
                (FunctionAnswer::Proceed, Duration::ZERO)
            }
            Event::Interrupted { .. } if self.is_started => {
                let why = HaltReason::Interrupted.to_string();
                (FunctionAnswer::Failed(FailedCall::Interrupted(why)), Duration::ZERO)
            }
            Event::Ran { result, elapsed, .. } => (returned(result, self.effect(policy)), elapsed),
            Event::TimedOut { elapsed, .. } => {
                let reason = timeout_reason(policy.time_left(&self.attempts, run, cx.facts));
                (FunctionAnswer::Failed(FailedCall::TimedOut(reason)), elapsed)
            }
            _ => return None,
        };
        cx.facts.attempt = self.attempts.number();
        self.attempts.add_time(elapsed);
        Some((answer, elapsed))
    }

    /// Records a failed attempt, and starts the pause before the next one if the policy allows one. Returns
    /// whether it does. `run` is the elapsed time of the run as the call sees it.
    pub(crate) fn retry(
        &mut self,
        mut failed: FailedAttempt<'_>,
        target: AttemptTarget,
        policy: &CallPolicy,
        run: Duration,
        cx: &mut RunContext<'_>,
    ) -> bool {
        if failed.failure == Failure::TimedOut && self.effect(policy) == Effect::Once {
            // The call may have taken effect.
            failed.failure = Failure::Interrupted;
        }
        let again = self.can_retry(failed.failure, policy, run, cx.facts);
        self.attempts.record(target, failed, again, cx.host);
        if again {
            let (task, duration) = (target.task, self.start_pause(policy, cx.facts));
            cx.host.emit(|| RunEvent::Waiting { task, duration });
        }
        again
    }

    /// Returns whether the policy allows another attempt after a failure.
    pub(crate) fn can_retry(
        &self,
        failure: Failure,
        policy: &CallPolicy,
        run: Duration,
        facts: &RunFacts,
    ) -> bool {
        let failed = u32::try_from(self.attempts.failed.len()).unwrap_or(u32::MAX);
        failed < policy.max_retries
            && expired_limit(policy.time_left(&self.attempts, run, facts)).is_none()
            && match failure {
                Failure::Failed => true,
                Failure::TimedOut => policy.retry.timeouts,
                Failure::Interrupted | Failure::Unusable => false,
                _ => self.effect(policy) != Effect::Once,
            }
    }

    /// Returns the effect of the call: that under which it was announced, or else that of the present version.
    pub(crate) fn effect(&self, policy: &CallPolicy) -> Effect {
        if self.is_started { Effect::Once } else { policy.effect }
    }

    /// Starts the pause before the next attempt. Returns its maximum. The last attempt has been recorded.
    pub(crate) fn start_pause(&mut self, policy: &CallPolicy, facts: &mut RunFacts) -> Duration {
        (self.id, self.function) = (facts.new_call(), None);
        (self.is_pausing, self.is_started) = (true, false);
        self.pause(policy)
    }

    /// Returns the maximum pause after the attempts that have failed.
    fn pause(&self, policy: &CallPolicy) -> Duration {
        policy.retry.pause(self.attempts.number().saturating_sub(1))
    }
}

fn returned(result: Result<Value, FunctionError>, effect: Effect) -> FunctionAnswer {
    match result {
        Ok(value) => FunctionAnswer::Returned(value),
        Err(error) if effect == Effect::Once && error.outcome() == EffectError::Unknown => {
            FunctionAnswer::Failed(FailedCall::Interrupted(error.to_string()))
        }
        Err(error) => FunctionAnswer::Failed(FailedCall::Failed(error)),
    }
}

/// Returns how an attempt failed whose function returned an error.
pub(crate) fn attempt_failure(error: &FunctionError) -> Failure {
    match error.outcome() {
        EffectError::Done => Failure::Unusable,
        EffectError::NotDone | EffectError::Unknown => Failure::Failed,
    }
}
