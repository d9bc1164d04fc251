//! JSON values as text, and the words of texts.

use serde_json::Value;

/// Returns a text unchanged, and any other value as JSON.
pub(super) fn value_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Returns the words of a text in lower case, without punctuation.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
