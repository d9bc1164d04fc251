//! Names of schema definitions.

use serde_json::Value;

/// Returns the name of the definition that a schema references.
pub(super) fn definition_of(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

/// Maximum length of a schema name that servers accept.
const MAX_NAME_BYTES: usize = 64;

/// Converts a type name to an identifier of ASCII letters, digits and `_`.
pub(super) fn identifier(name: &str) -> String {
    let is_word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = name.chars().map(is_word).take(MAX_NAME_BYTES).collect();
    if word.is_empty() { "output".to_owned() } else { word }
}
