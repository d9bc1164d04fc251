//! What a text was read as.

use cot_schema::internal::Step;
use serde_json::Value;

use crate::repair::repairs::Repairs;

/// What a text was read as.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parsed {
    pub(crate) value: Value,
    pub(crate) repairs: Repairs,
    /// Where the text ended in the middle of something: within a string, a number or a word, after a
    /// comma or a colon. Closers alone that are missing at the end are no such place.
    pub(crate) cut: Option<Vec<Step>>,
}
