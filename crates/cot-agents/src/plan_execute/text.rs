//! JSON values as text.

use serde_json::Value;

/// Returns a text unchanged, and any other value as JSON.
pub(super) fn value_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
