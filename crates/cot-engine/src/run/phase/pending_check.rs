//! Outputs that an async `check` has to accept before they are committed. The check runs as a function call;
//! until its result is known, the output is stored as JSON.

use std::time::Duration;

use cot_model::{FunctionError, Usage};
use cot_schema::{Issues, internal::UntypedOutput};
use serde_json::Value;

use crate::{
    protocol::{
        directive::{Action, CallId, Directive, FunctionCall},
        key::call_key::CallPart,
    },
    reply::bounds::truncate_reply,
    run::{
        attempts::{Attempts, ReplyCost},
        context::RunContext,
        end::TaskEnd,
    },
    snapshot::data::UncheckedOutput,
    values::{history::HistoryEntry, outcome::HaltReason, panicked::PanicPlace},
};

/// A valid output that is committed once its async `check` has accepted it.
#[derive(Debug)]
pub(crate) struct PendingCheck {
    /// The output as JSON.
    value: Value,
    /// The reply that contained the output, truncated.
    reply: String,
    /// The usage of the reply.
    usage: Usage,
    /// The duration of the model call.
    elapsed: Duration,
    /// The call of the check; created at the first poll.
    function: Option<FunctionCall>,
}

impl PendingCheck {
    pub(crate) fn new(value: Value, reply: ReplyCost<'_>) -> Self {
        let ReplyCost { text, usage, elapsed } = reply;
        Self { value, reply: truncate_reply(text), usage, elapsed, function: None }
    }

    pub(crate) fn from_unchecked(unchecked: UncheckedOutput) -> Self {
        let UncheckedOutput { value, reply, usage, elapsed } = unchecked;
        Self { value, reply, usage, elapsed, function: None }
    }

    pub(crate) fn to_unchecked(&self) -> UncheckedOutput {
        let Self { value, reply, usage, elapsed, .. } = self;
        UncheckedOutput {
            value: value.clone(),
            reply: reply.clone(),
            usage: *usage,
            elapsed: *elapsed,
        }
    }

    /// Returns the cost of the reply, including the time of its check.
    pub(crate) fn reply(&self, elapsed: Duration) -> ReplyCost<'_> {
        let elapsed = self.elapsed.saturating_add(elapsed);
        ReplyCost { text: &self.reply, usage: self.usage, elapsed }
    }

    /// Returns the directive that runs the check.
    pub(crate) fn due(
        &mut self,
        id: CallId,
        attempts: &Attempts,
        cx: &mut RunContext<'_>,
    ) -> Directive {
        cx.facts.attempt = attempts.number();
        let function = self.function.get_or_insert_with(|| function(&self.value, cx));
        let action = Action::RunFunction(function.clone());
        let left = cx.facts.time_left(cx.visit.task, attempts.spent, cx.facts.elapsed);
        let left = left.map(|(left, _)| left);
        let mut directive = cx.directive((id, attempts.number()), left, action);
        directive.key = directive.key.with_part(CallPart::Check);
        directive
    }

    /// Applies the result of the check. Commits an accepted output at this cost, after the history entry of its
    /// tools, and discards a rejected one.
    pub(crate) fn apply(
        &self,
        result: Result<Value, FunctionError>,
        cost: ReplyCost<'_>,
        tools: Option<HistoryEntry>,
        cx: &mut RunContext<'_>,
    ) -> CheckVerdict {
        let issues = match parse_check_result(result) {
            Ok(Ok(())) => match self.commit(cost, tools, cx) {
                Ok(end) => return CheckVerdict::Committed(end),
                Err(issues) => issues,
            },
            Ok(Err(issues)) => issues,
            Err(error) => {
                let issues = Issues::at("$", error.to_string());
                let reason = cx.function_failure(error, PanicPlace::Check);
                return CheckVerdict::Failed { issues, reason };
            }
        };
        cx.host.discard_output();
        CheckVerdict::Rejected(issues)
    }

    fn commit(
        &self,
        cost: ReplyCost<'_>,
        tools: Option<HistoryEntry>,
        cx: &mut RunContext<'_>,
    ) -> Result<TaskEnd, Issues> {
        cx.read(UntypedOutput::Value(self.value.clone()))?;
        cx.commit_with(tools, cost.usage, cost.elapsed)
    }
}

fn function(value: &Value, cx: &mut RunContext<'_>) -> FunctionCall {
    if let Err(issues) = cx.read(UntypedOutput::Value(value.clone())) {
        // A snapshot may have been written by a program with other types.
        return FunctionCall::ready(serde_json::to_value(issues).map_err(FunctionError::new));
    }
    let check = cx.host.async_check(cx.visit.task, &cx.facts.scope(cx.visit, None));
    cx.host.discard_output();
    check.map_or_else(|| FunctionCall::ready(Ok(Value::Null)), FunctionCall::new)
}

/// Validates a value without keeping it as the pending output.
pub(crate) fn validate_unchecked(value: &Value, cx: &mut RunContext<'_>) -> Result<(), Issues> {
    cx.read(UntypedOutput::Value(value.clone()))?;
    cx.host.discard_output();
    Ok(())
}

/// The effect of a finished check on the task.
pub(crate) enum CheckVerdict {
    /// The output was accepted and committed.
    Committed(TaskEnd),
    /// The check, or a hook before the commit, rejected the output.
    Rejected(Issues),
    /// The check failed itself.
    Failed { issues: Issues, reason: HaltReason },
}

/// Parses the result of a check: `Ok(())`, the issues, or the error of a check that failed itself.
fn parse_check_result(
    result: Result<Value, FunctionError>,
) -> Result<Result<(), Issues>, FunctionError> {
    match result? {
        Value::Null => Ok(Ok(())),
        issues => serde_json::from_value(issues).map(Err).map_err(FunctionError::new),
    }
}
