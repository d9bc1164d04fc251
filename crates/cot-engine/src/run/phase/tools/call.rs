//! Makes a call of a tool: its rules, its function, and what follows from its result.

use std::time::Duration;

use cot_model::{FunctionError, ToolCall, ToolResult};
use cot_schema::Issues;
use serde_json::Value;

use super::{
    conversation::{OfferedTool, ToolConversation},
    failure::RoundFailure,
    numbered_call::NumberedCall,
    progress::RunningCall,
};
use crate::{
    process::call_place::{CallPlace, CallRole},
    process::scope::ScopeData,
    process::{
        effect::Effect,
        retry::RetryDefinition,
        tool::{bounds::bound_result, definition::ToolDefinition},
    },
    protocol::{
        directive::{Directive, FunctionCall},
        event::Event,
        key::call_key::CallPart,
        run_event::event::RunEvent,
    },
    run::{
        attempts::Attempts,
        context::RunContext,
        limits::TimeLeft,
        phase::function_call::{CallPolicy, FailedCall, FunctionAnswer, attempt_failure},
    },
    values::outcome::{Attempt, Failure},
};

/// The rules of a call.
pub(crate) struct CallRules {
    pub(crate) policy: CallPolicy,
    pub(crate) needs_approval: bool,
    pub(crate) is_mocked: bool,
}

/// What follows from an event.
pub(crate) enum CallOutcome {
    /// The event does not answer the call.
    Stale,
    /// There is another directive.
    Proceed,
    Answered(ToolResult),
    Failed(RoundFailure),
}

impl CallRules {
    /// Returns the rules of a tool. A mock takes effect at no time and needs no approval.
    fn for_tool(offered: OfferedTool, tool: &ToolDefinition, cx: &RunContext<'_>) -> Self {
        let is_mocked = cx.is_tool_mocked(tool);
        let effect = if is_mocked { Effect::Repeatable } else { offered.effect };
        let ToolDefinition { max_retries, retry, timeout, .. } = *tool;
        let policy = CallPolicy { effect, max_retries, retry, timeout };
        Self { policy, needs_approval: offered.needs_approval && !is_mocked, is_mocked }
    }

    /// The rules of a call whose tool does not exist any more. It is only answered.
    const GONE: Self = Self {
        policy: CallPolicy {
            effect: Effect::Repeatable,
            max_retries: 0,
            retry: RetryDefinition::DEFAULT,
            timeout: None,
        },
        needs_approval: false,
        is_mocked: false,
    };

    /// Returns whether the call can be made beside others and without a question.
    pub(crate) fn is_free(&self) -> bool {
        self.policy.effect == Effect::Repeatable && !self.needs_approval
    }
}

impl ToolConversation {
    pub(crate) fn rules(&self, call: &ToolCall, cx: &RunContext<'_>) -> CallRules {
        let offered = self.find(call).and_then(|offered| self.uses.get(offered));
        let rules = offered.and_then(|offered| {
            let tool = cx.facts.definition.tools.tools.get(offered.index)?;
            Some(CallRules::for_tool(*offered, tool, cx))
        });
        rules.unwrap_or(CallRules::GONE)
    }

    /// Returns the function of a call, or one that returns the error of a call that can't be made any more.
    fn function(&self, made: NumberedCall<'_>, cx: &RunContext<'_>) -> FunctionCall {
        let NumberedCall { call, arguments, number } = made;
        let index = match self.index_of(call) {
            Ok(index) => index,
            Err(error) => return FunctionCall::ready(Err(FunctionError::not_done(error.text))),
        };
        let rules = self.rules(call, cx);
        let scope = cx.facts.scope(cx.visit, None);
        let scope =
            ScopeData { call: CallPlace { role: CallRole::Tool(number), ..scope.call }, ..scope };
        if rules.is_mocked {
            let mock = cx.host.tool_mock(index, arguments, &scope);
            return FunctionCall::ready(match mock.unwrap_or(Ok(Value::Null)) {
                Ok(result) => bound_result(result),
                Err(error) => Err(FunctionError::done(error)),
            });
        }
        match cx.host.tool_call(index, &call.name, arguments.clone(), &scope) {
            Some(start) => {
                let read = ToolCall::new(&*call.name, arguments).with_id(&*call.id);
                FunctionCall::new(start).with_effect(rules.policy.effect).for_tool(read)
            }
            None => FunctionCall::ready(Err(FunctionError::not_done("the tool has no function"))),
        }
    }
}

impl RunningCall {
    /// Returns the remaining time of the task and the run as the call sees it.
    fn time_of_task(&self, task: &Attempts, cx: &RunContext<'_>) -> Option<TimeLeft> {
        let run = self.run_time();
        let behind = cx.facts.elapsed.saturating_sub(run);
        cx.facts.time_left(cx.visit.task, task.spent.saturating_sub(behind), run)
    }

    /// Returns the directive of the call.
    pub(crate) fn directive(
        &mut self,
        made: NumberedCall<'_>,
        tools: &ToolConversation,
        task: &Attempts,
        cx: &mut RunContext<'_>,
    ) -> Directive {
        let policy = tools.rules(made.call, cx).policy;
        let left = self.time_of_task(task, cx).map(|(left, _)| left);
        let run = self.run_time();
        let function = |cx: &RunContext<'_>| tools.function(made, cx);
        let mut directive = self.attempts.directive(&policy, run, cx, function);
        directive.key = directive.key.with_part(CallPart::Tool(made.number));
        if !directive.is_sleep() {
            directive.timeout = directive.timeout.into_iter().chain(left).min();
        }
        directive
    }

    /// Applies an event to the call.
    pub(crate) fn handle(
        &mut self,
        event: Event,
        policy: &CallPolicy,
        task: &Attempts,
        cx: &mut RunContext<'_>,
    ) -> CallOutcome {
        let limit = self.time_of_task(task, cx);
        let spent = if policy.retry.timeouts { Duration::ZERO } else { self.elapsed() };
        let own = policy.timeout.map(|limit| limit.saturating_sub(spent));
        let is_own = own.is_some_and(|own| limit.as_ref().is_none_or(|(left, _)| own <= *left));
        let run = self.run_time();
        let Some((answer, _)) = self.attempts.answer(event, policy, run, cx) else {
            return CallOutcome::Stale;
        };
        let failed = match answer {
            FunctionAnswer::Proceed => return CallOutcome::Proceed,
            FunctionAnswer::Returned(value) => {
                return CallOutcome::Answered(ToolResult::ok(value.to_string()));
            }
            FunctionAnswer::Failed(failed) => failed,
        };
        // The call may have taken effect before a limit passed.
        let is_once = self.attempts.effect(policy) == Effect::Once;
        match failed {
            FailedCall::Interrupted(why) => CallOutcome::Failed(RoundFailure::interrupted(&why)),
            // The model learns why the call has no result.
            FailedCall::Failed(error) => {
                self.retry_or_answer(attempt_failure(&error), error.to_string(), policy, cx)
            }
            FailedCall::TimedOut(_) if is_own => {
                let limit = policy.timeout.unwrap_or_default();
                let why = format!("the call took longer than {limit:?}");
                match is_once {
                    true => CallOutcome::Failed(RoundFailure::interrupted(&why)),
                    false => self.retry_or_answer(Failure::TimedOut, why, policy, cx),
                }
            }
            FailedCall::TimedOut(reason) => {
                let reason = limit.map_or(reason, |(_, reason)| reason);
                CallOutcome::Failed(match is_once {
                    true => RoundFailure::interrupted(&reason.to_string()),
                    false => RoundFailure::timed_out(reason),
                })
            }
        }
    }

    /// Starts the pause before the next attempt, or answers the call with the error.
    fn retry_or_answer(
        &mut self,
        failure: Failure,
        why: String,
        policy: &CallPolicy,
        cx: &mut RunContext<'_>,
    ) -> CallOutcome {
        if self.attempts.can_retry(failure, policy, self.run_time(), cx.facts) {
            let number = self.attempts.attempts.number();
            let issues = Issues::at("$", &*why);
            let attempt = Attempt { issues, ..Attempt::new(number, failure) };
            self.attempts.attempts.failed.push(attempt);
            let (task, duration) = (cx.visit.task, self.attempts.start_pause(policy, cx.facts));
            cx.host.emit(|| RunEvent::Waiting { task, duration });
            return CallOutcome::Proceed;
        }
        CallOutcome::Answered(ToolResult::error(why))
    }
}
