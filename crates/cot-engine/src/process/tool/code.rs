//! The typed functions of tools.

use std::sync::Arc;

use cot_model::{BoxFuture, FunctionError};
use cot_schema::{Issues, OutputSchema};
use serde_json::Value;

use super::source::ToolSource;
use crate::process::{
    context::{Cx, OwnedCx},
    scope::Scope,
    types::ProcessTypes,
};

/// The typed functions of a tool.
pub struct ToolCode<P: ProcessTypes> {
    pub guard: Option<ToolGuard<P>>,
    pub work: ToolWork<P>,
}

/// The guard of a tool, or of its use in a task.
pub(crate) type ToolGuard<P> = fn(&Scope<'_, P>) -> bool;

/// What performs the calls of a tool.
pub enum ToolWork<P: ProcessTypes> {
    Function(ToolFunctionCode<P>),
    /// Returns the source from the context.
    Source(fn(&P::Context) -> &dyn ToolSource),
}

/// The typed functions of a tool that is a function.
pub struct ToolFunctionCode<P: ProcessTypes> {
    /// Returns the schema of the arguments.
    pub schema: fn() -> &'static OutputSchema,
    /// Checks arguments that match the schema: they deserialize, and stand in their sources.
    pub check: fn(&Value, &Scope<'_, P>) -> Result<(), Issues>,
    /// Starts the function with arguments that were checked.
    pub start: StartTool<P>,
    pub mock: Option<ToolMock<P>>,
}

/// Starts the function of a tool.
pub(crate) type StartTool<P> =
    fn(Value, Arc<OwnedCx<P>>) -> BoxFuture<'static, Result<Value, FunctionError>>;

/// Computes the mock result of a tool.
pub(crate) type ToolMock<P> = fn(&Value, &Cx<'_, P>) -> serde_json::Result<Value>;
