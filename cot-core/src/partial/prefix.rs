//! The JSON of a reply that is still coming in.

use serde_json::Value;

use crate::reader::begun;

/// What has come of a reply's JSON.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prefix {
    pub(super) value: Value,
    /// How many values along the way from the root to the last one are not finished.
    pub(super) open: usize,
}

/// What has come of the first object or list of a text.
pub(super) fn of(text: &str) -> Option<Prefix> {
    let json = text.get(text.find(['{', '['])?..)?;
    begun(json).map(|(value, open)| Prefix { value, open })
}
