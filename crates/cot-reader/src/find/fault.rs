//! What is said of text that looks like JSON and can't be read.

use std::ops::Range;

use cot_schema::{Issues, internal::path_of};

use super::candidate::Found;
use crate::parse::cursor::{Reason, Stop};

/// A candidate that can't be read.
pub(super) fn of(text: &str, stop: &Stop, is_meant: bool) -> Found {
    let issues = match &stop.reason {
        Reason::Malformed(why) => {
            let (line, column) = position(text, stop.at);
            let message = format!(
                "the JSON is malformed at line {line}, column {column} of the reply: {why}; answer \
                 with one JSON object"
            );
            Issues::at("$", message)
        }
        Reason::Refused(why) => Issues::at(path_of(&stop.path), why.as_ref()),
        Reason::Deep => Issues::at("$", "the JSON is nested more than 128 levels deep"),
    };
    Found::Fault { issues, is_meant }
}

/// What is said of JSON that is a part of another, which can't be read.
pub(super) fn torn() -> Issues {
    Issues::at("$", "brackets of the JSON are missing, or too many; answer with one JSON object")
}

/// The line and the column of a place, from 1 on, in characters.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let column: Range<usize> = line_start..before.len();
    (line, before.get(column).unwrap_or_default().chars().count() + 1)
}
