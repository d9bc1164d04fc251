//! The typed side of the tools of a run.

use cot_schema::{Issues, OutputSchema};
use serde_json::Value;

use super::{definition::ToolIndex, source::SourceTool};
use crate::{
    process::{scope::ScopeData, tables::TaskIndex},
    protocol::directive::FunctionStart,
};

/// Calls the typed functions of the tools of a process.
pub(crate) trait ToolHost {
    /// Returns whether the guard of a tool and that of its use in a task hold.
    fn is_tool_visible(
        &self,
        task: TaskIndex,
        tool_use: usize,
        tool: ToolIndex,
        scope: &ScopeData<'_>,
    ) -> bool;
    /// Returns the schema of the arguments of a function.
    fn tool_schema(&self, tool: ToolIndex) -> Option<&'static OutputSchema>;
    /// Returns the tools of a source.
    fn source_tools(&self, tool: ToolIndex) -> &[SourceTool];
    /// Checks that arguments that match the schema of a function deserialize, and stand in their sources.
    fn check_arguments(
        &self,
        tool: ToolIndex,
        arguments: &Value,
        scope: &ScopeData<'_>,
    ) -> Result<(), Issues>;
    /// Returns the function that performs a call with valid arguments. `name` is the name of the tool within its
    /// source. A result that is too long becomes an error.
    fn tool_call(
        &self,
        tool: ToolIndex,
        name: &str,
        arguments: Value,
        scope: &ScopeData<'_>,
    ) -> Option<FunctionStart>;
    /// Returns the mock result of a call.
    fn tool_mock(
        &self,
        tool: ToolIndex,
        arguments: &Value,
        scope: &ScopeData<'_>,
    ) -> Option<serde_json::Result<Value>>;
}
