//! Outputs that an async `check` looks at before they are committed. The check is performed as a function;
//! until its verdict is there, the output is kept as JSON.

use std::time::Duration;

use cot_model::Usage;
use cot_schema::{Issues, internal::Given};
use serde_json::Value;

use crate::{
    protocol::directive::{Action, CallId, Directive, FunctionCall},
    reply::bounds::shortened,
    run::{
        attempts::{Attempts, ReplyCost},
        context::RunContext,
        end::TaskEnd,
    },
    snapshot::data::Unchecked,
    values::code_error::CodeError,
};

/// An output that was read, and is committed once an async `check` has accepted it.
#[derive(Debug)]
pub(crate) struct Checking {
    /// The output as JSON.
    value: Value,
    /// The reply that it was in, shortened.
    reply: String,
    /// What the reply consumed.
    usage: Usage,
    /// How long the reply took.
    elapsed: Duration,
    /// The check; made at the first poll.
    function: Option<FunctionCall>,
}

impl Checking {
    pub(crate) fn new(value: Value, reply: ReplyCost<'_>) -> Self {
        let ReplyCost { text, usage, elapsed } = reply;
        Self { value, reply: shortened(text), usage, elapsed, function: None }
    }

    pub(crate) fn from_unchecked(unchecked: Unchecked) -> Self {
        let Unchecked { value, reply, usage, elapsed } = unchecked;
        Self { value, reply, usage, elapsed, function: None }
    }

    pub(crate) fn to_unchecked(&self) -> Unchecked {
        let Self { value, reply, usage, elapsed, .. } = self;
        Unchecked { value: value.clone(), reply: reply.clone(), usage: *usage, elapsed: *elapsed }
    }

    /// Returns what the reply was and cost, with the time of its check.
    pub(crate) fn reply(&self, elapsed: Duration) -> ReplyCost<'_> {
        let elapsed = self.elapsed.saturating_add(elapsed);
        ReplyCost { text: &self.reply, usage: self.usage, elapsed }
    }

    /// Returns the check to run.
    pub(crate) fn due(
        &mut self,
        id: CallId,
        attempts: &Attempts,
        cx: &mut RunContext<'_>,
    ) -> Directive {
        let function = self.function.get_or_insert_with(|| function(&self.value, cx));
        let action = Action::RunFunction(function.clone());
        let left = cx.facts.time_left(cx.visit.task, attempts.spent, cx.facts.elapsed);
        let left = left.map(|(left, _)| left);
        let mut directive = cx.directive((id, attempts.number()), left, action);
        directive.key = directive.key.of_check();
        directive
    }

    /// Commits the output that the check has accepted.
    pub(crate) fn commit(
        &self,
        cost: ReplyCost<'_>,
        cx: &mut RunContext<'_>,
    ) -> Result<TaskEnd, Issues> {
        cx.read(Given::Value(self.value.clone()))?;
        cx.commit(cost.usage, cost.elapsed)
    }
}

fn function(value: &Value, cx: &mut RunContext<'_>) -> FunctionCall {
    if let Err(issues) = cx.read(Given::Value(value.clone())) {
        // The snapshot of the run may have been written by a program of other types.
        return FunctionCall::ready(serde_json::to_value(issues).map_err(CodeError::new));
    }
    let check = cx.host.check(cx.visit.task, cx.visit.inputs.as_ref());
    cx.host.forget_output();
    check.map_or_else(|| FunctionCall::ready(Ok(Value::Null)), FunctionCall)
}

/// Reads a value for a task whose outputs an async `check` looks at: nothing of it stays pending.
pub(crate) fn read_unchecked(value: &Value, cx: &mut RunContext<'_>) -> Result<(), Issues> {
    cx.read(Given::Value(value.clone()))?;
    cx.host.forget_output();
    Ok(())
}

/// Returns what a check says of an output: nothing when it is good, else the issues; or why it could not say.
pub(crate) fn verdict(result: Result<Value, CodeError>) -> Result<Result<(), Issues>, CodeError> {
    match result? {
        Value::Null => Ok(Ok(())),
        issues => serde_json::from_value(issues).map(Err).map_err(CodeError::new),
    }
}
