//! The result of parsing.

use cot_schema::internal::PathSegment;
use serde_json::Value;

use crate::repair::repairs::Repairs;

/// A possible reading of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ParsedValue {
    pub(crate) value: Value,
    pub(crate) repairs: Repairs,
    /// The path at which the text is truncated: within a string, number or word, or after a comma or colon.
    /// Missing closing brackets do not count.
    pub(crate) cut: Option<Vec<PathSegment>>,
}
