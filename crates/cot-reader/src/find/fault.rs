//! Issues for text that looks like JSON but can't be parsed.

use std::ops::Range;

use cot_schema::{Issues, internal::format_path};

use super::candidate::CandidateContent;
use crate::parse::cursor::{Reason, Stop};

/// Converts a parse error to the fault of a candidate.
pub(super) fn from_stop(text: &str, stop: &Stop, is_meant: bool) -> CandidateContent {
    let issues = match &stop.reason {
        Reason::Malformed(why) => {
            let (line, column) = position(text, stop.at);
            let message = format!(
                "the JSON is malformed at line {line}, column {column} of the reply: {why}; answer \
                 with one JSON object"
            );
            Issues::at("$", message)
        }
        Reason::Refused(why) => Issues::at(format_path(&stop.path), why.as_ref()),
        Reason::Deep => Issues::at("$", "the JSON is nested more than 128 levels deep"),
    };
    CandidateContent::Fault { issues, is_meant }
}

/// Returns the issue for a value that is a fragment of larger, malformed JSON.
pub(super) fn fragment() -> Issues {
    Issues::at("$", "brackets of the JSON are missing, or too many; answer with one JSON object")
}

/// Returns the line and column of a position, counted from 1, in characters.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let column: Range<usize> = line_start..before.len();
    (line, before.get(column).unwrap_or_default().chars().count() + 1)
}
