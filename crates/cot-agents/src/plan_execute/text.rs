//! JSON as text.

use serde_json::Value;

/// A text, or the JSON of anything else.
pub(super) fn shown(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
