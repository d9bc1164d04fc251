//! What a check found.

use serde_json::{Value, json};

use super::diagnostic::Diagnostic;

/// What [`check`](super::check) says of a trace: what is wrong with it, and what is in it.
///
/// Names and numbers are in the order of their first occurrence, each once.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Why the trace is not valid, by place.
    pub errors: Vec<Diagnostic>,
    /// What is wrong all the same, by place.
    pub warnings: Vec<Diagnostic>,
    /// The keywords of the structures.
    pub blocks: Vec<&'static str>,
    /// The tags that are defined.
    pub tags_defined: Vec<String>,
    /// The tags that are referred to.
    pub tags_referenced: Vec<String>,
    /// The numbers of the todo items.
    pub todos_defined: Vec<u64>,
    /// The numbers of those that something satisfies.
    pub todos_satisfied: Vec<u64>,
    /// The tools that are defined.
    pub tools: Vec<String>,
    /// All calls.
    pub calls: Vec<CallSummary>,
}

/// A call in a [`Report`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSummary {
    /// The tool's name.
    pub tool: Option<String>,
    /// The call's id.
    pub id: Option<String>,
}

impl Report {
    /// Whether there are no errors.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// The report as JSON: `valid`, and all fields by their names.
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
