//! Parts of the prompt beside the trace.

use std::fmt::Write;

use cot_engine::internal::quoted;
use cot_task_format::{Diagnostic, internal::data};

/// Explains the format to models that were not trained on it.
pub(crate) const PRIMER: &str = include_str!("primer.md");

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
