//! What the model is told beside the trace.

use std::fmt::Write;

use cot_engine::internal::quoted;
use cot_task_format::{Diagnostic, internal::data};

/// How to go on with a trace, for models that were not trained on the format.
pub(crate) const PRIMER: &str = include_str!("primer.md");

/// So much of a refused reply is shown.
const MAX_SHOWN_BYTES: usize = 4_000;
/// So many of its mistakes are told.
pub(super) const MAX_TOLD: usize = 20;

/// What is wrong with a reply, for the end of the prompt.
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
    for diagnostic in diagnostics.iter().take(MAX_TOLD) {
        let _ = writeln!(text, "- {}", data::truncate(&diagnostic.message, MAX_SHOWN_BYTES));
    }
    text.push_str(
        "\nThe trace above is all that was taken. Go on from its end, without these mistakes.\n",
    );
    text
}
