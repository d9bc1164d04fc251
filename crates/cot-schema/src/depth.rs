//! The bound on the nesting of values that a run keeps.

use serde::ser::Error as _;
use serde_json::{Value, value::RawValue};

/// Maximum number of lists and objects inside each other.
///
/// `serde_json` reads 127. The other levels are for the records of a journal, which contain values within
/// events and snapshots, and these within those of outer processes.
pub(crate) const MAX_DEPTH: usize = 96;

/// The error of a value beyond `MAX_DEPTH`.
pub const TOO_DEEP: &str = "nests lists and objects more than 96 levels deep";

/// Returns the JSON text if it is within `MAX_DEPTH`.
///
/// # Errors
///
/// Returns an error if the text nests deeper.
pub fn shallow(json: Box<RawValue>) -> serde_json::Result<Box<RawValue>> {
    if is_deep_text(json.get()) { Err(too_deep()) } else { Ok(json) }
}

/// Returns the value if it is within `MAX_DEPTH`.
///
/// # Errors
///
/// Returns an error if the value nests deeper.
pub fn shallow_value(value: Value) -> serde_json::Result<Value> {
    if is_deep(&value) { Err(too_deep()) } else { Ok(value) }
}

fn too_deep() -> serde_json::Error {
    serde_json::Error::custom(format_args!("it {TOO_DEEP}"))
}

/// Returns whether a value nests deeper than `MAX_DEPTH`.
pub fn is_deep(value: &Value) -> bool {
    exceeds(value, MAX_DEPTH)
}

/// Returns whether JSON text nests deeper than `MAX_DEPTH`.
pub fn is_deep_text(json: &str) -> bool {
    // Most texts have fewer brackets, and counting them takes less time.
    json.len() > MAX_DEPTH && brackets(json) > MAX_DEPTH && depth(json) > MAX_DEPTH
}

/// Returns the number of opening brackets. It counts in bytes, of which processors add many at once.
fn brackets(json: &str) -> usize {
    let count =
        |bytes: &[u8]| bytes.iter().map(|byte| u8::from(matches!(byte, b'{' | b'['))).sum::<u8>();
    json.as_bytes().chunks(usize::from(u8::MAX)).map(|bytes| usize::from(count(bytes))).sum()
}

fn exceeds(value: &Value, levels: usize) -> bool {
    let is_child_deep = |child: &Value| match levels.checked_sub(1) {
        Some(levels) => exceeds(child, levels),
        None => true,
    };
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(is_child_deep),
        Value::Object(members) => levels == 0 || members.values().any(is_child_deep),
        _ => false,
    }
}

/// Returns the number of levels of lists and objects inside each other in JSON text.
pub fn depth(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn nested(levels: usize) -> Value {
        (0..levels).fold(json!("[[{{\\\""), |inner, level| match level % 2 {
            0 => json!([1, inner]),
            _ => json!({ "a": {}, "b": inner }),
        })
    }

    #[test]
    fn values_and_texts_have_the_same_bound() {
        assert!(TOO_DEEP.contains(&MAX_DEPTH.to_string()));
        for (levels, expected) in [(0, false), (1, false), (96, false), (97, true), (120, true)] {
            let value = nested(levels);
            assert_eq!(is_deep(&value), expected, "{levels}");
            assert_eq!(is_deep_text(&value.to_string()), expected, "{levels}");
        }
    }

    #[test]
    fn wide_values_are_shallow() {
        let wide = json!({ "rows": vec![json!({ "text": "{[\"[" }); 500] });
        assert!(!is_deep(&wide) && !is_deep_text(&wide.to_string()));
    }
}
