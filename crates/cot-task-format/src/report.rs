//! The report of a check.

use serde_json::{Value, json};

use super::diagnostic::Diagnostic;

/// The result of [`check`](super::check): errors, warnings and a summary of the trace.
///
/// Names and numbers are listed once, in the order of their first occurrence.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The errors, which make the trace invalid, ordered by position.
    pub errors: Vec<Diagnostic>,
    /// The warnings, ordered by position.
    pub warnings: Vec<Diagnostic>,
    /// The keywords of the structures, in order.
    pub blocks: Vec<&'static str>,
    /// The tags that are defined.
    pub tags_defined: Vec<String>,
    /// The tags that are referred to.
    pub tags_referenced: Vec<String>,
    /// The numbers of the todo items.
    pub todos_defined: Vec<u64>,
    /// The numbers of the satisfied todo items.
    pub todos_satisfied: Vec<u64>,
    /// The names of the defined tools.
    pub tools: Vec<String>,
    /// All calls, in order.
    pub calls: Vec<CallSummary>,
}

/// A call in a [`Report`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSummary {
    /// The name of the tool.
    pub tool: Option<String>,
    /// The id of the call.
    pub id: Option<String>,
}

impl Report {
    /// Returns whether the trace has no errors.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// Converts the report to JSON: `valid`, and all fields under their names.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let list = |list: &[Diagnostic]| list.iter().map(Diagnostic::to_json).collect::<Value>();
        let call = |call: &CallSummary| json!({ "tool": call.tool, "id": call.id });
        json!({
            "valid": self.is_valid(),
            "errors": list(&self.errors),
            "warnings": list(&self.warnings),
            "blocks": self.blocks,
            "tags_defined": self.tags_defined,
            "tags_referenced": self.tags_referenced,
            "todos_defined": self.todos_defined,
            "todos_satisfied": self.todos_satisfied,
            "tools": self.tools,
            "calls": self.calls.iter().map(call).collect::<Value>(),
        })
    }
}
