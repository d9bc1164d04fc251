//! The tool calls of a task that performs calls of the state.

use std::{borrow::Cow, sync::Arc};

use cot_model::{ToolCall, ToolRound};

/// A tool call, by value or by reference.
pub trait GivenToolCall {
    /// Returns the call.
    fn into_call(self) -> ToolCall;
}

#[diagnostic::do_not_recommend]
impl GivenToolCall for ToolCall {
    fn into_call(self) -> ToolCall {
        self
    }
}

#[diagnostic::do_not_recommend]
impl GivenToolCall for &ToolCall {
    fn into_call(self) -> ToolCall {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl GivenToolCall for Arc<ToolCall> {
    fn into_call(self) -> ToolCall {
        Self::unwrap_or_clone(self)
    }
}

#[diagnostic::do_not_recommend]
impl GivenToolCall for Cow<'_, ToolCall> {
    fn into_call(self) -> ToolCall {
        self.into_owned()
    }
}

/// Tool calls.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tool calls [COT0169]",
    label = "not an iterator over `cot_core::model::ToolCall`",
    note = "`calls` takes calls by value or by reference, such as a `Vec<ToolCall>`, a slice, or an `Option<ToolCall>`"
)]
pub trait ToolCalls {
    /// Returns the calls in order.
    fn into_calls(self) -> Vec<ToolCall>;
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<Item: GivenToolCall>> ToolCalls for I {
    fn into_calls(self) -> Vec<ToolCall> {
        self.into_iter().map(GivenToolCall::into_call).collect()
    }
}

/// Returns the calls of an expression.
pub fn tool_calls<I: ToolCalls>(calls: I) -> Vec<ToolCall> {
    calls.into_calls()
}

/// The output of a task of tool calls.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the output of a task of tool calls [COT0170]",
    label = "not `cot_core::model::ToolRound`",
    note = "its output is the calls with their results: write `-> ToolRound`"
)]
pub trait CallsOutput {}

impl CallsOutput for ToolRound {}

/// Requires that the output of a task is the one that tasks of tool calls have.
pub const fn require_tool_round<T: CallsOutput>() {}
