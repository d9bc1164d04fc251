//! Parts of the prompt beside the trace.

use std::fmt::Write;

use cot_engine::internal::quoted;
use cot_task_format::{Block, BlockKind, Diagnostic, Expr, Object, internal::data};
use serde_json::Value;

use crate::tools::ToolSet;

/// Explains the format to models that were not trained on it. The example calls one of the tools, since small models
/// use its names.
pub(crate) fn primer(tools: &ToolSet) -> String {
    let mut primer = include_str!("primer.md").to_owned();
    if let Some(tool) = tools.iter().next() {
        let required = tool.schema.json()["required"].as_array();
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        let call = Object::default().with("tool", tool.name());
        let call = names.fold(call, |call, name| call.with(name, "…")).with("id", "call1");
        let act = Expr::from(Object::default().with("call", call)).satisfy(1);
        primer.push_str(&EXAMPLE.replace("ACT", &Block::new(BlockKind::Act, act).to_string()));
    }
    primer
}

/// An example of a turn, for a model that has a tool. It has no text of its own that a model could copy.
const EXAMPLE: &str = "
An example of how a turn continues, in three replies, in which \"…\" stands for what you write:

plan { todo ↦ { 1 ↦ \"…\" • 2 ↦ \"…\" } • rationale ↦ \"…\" }

ACT
response「…」 ※ call1 ⊨ 2
";

/// The limit up to which a rejected reply is quoted.
const MAX_SHOWN_BYTES: usize = 4_000;
/// The limit of reported diagnostics.
pub(super) const MAX_DIAGNOSTICS: usize = 20;

/// Creates the note about a rejected reply, for the end of the prompt.
pub(super) fn correction(reply: &str, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::from("\n----\nThis is no part of the trace. ");
    if reply.trim().is_empty() {
        text.push_str("Your last reply was empty.");
    } else {
        let shown = quoted(data::truncate(reply.trim(), MAX_SHOWN_BYTES));
        // Writing to a string can't fail.
        let _ = write!(text, "Your last reply was not taken from here on:\n{shown}\n");
    }
    text.push_str("\nWhat is wrong with it:\n");
    for diagnostic in diagnostics.iter().take(MAX_DIAGNOSTICS) {
        let _ = writeln!(text, "- {}", data::truncate(&diagnostic.message, MAX_SHOWN_BYTES));
    }
    text.push_str(
        "\nThe trace above is all that was taken. Go on from its end, without these mistakes.\n",
    );
    text
}
