//! Names of definitions.

use serde_json::Value;

/// The name of the definition that a schema refers to.
pub(super) fn definition_of(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

/// Longest name that servers take.
const MAX_NAME_BYTES: usize = 64;

pub(super) fn identifier(name: &str) -> String {
    let is_word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = name.chars().map(is_word).take(MAX_NAME_BYTES).collect();
    if word.is_empty() { "output".to_owned() } else { word }
}
