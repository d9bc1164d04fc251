//! JSON paths in the notation of issues: `$.fields[0].name`, `$["a b"]`.

use std::fmt::Write;

use serde_json::Value;

use crate::text::truncate;

/// A segment of a JSON path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathSegment {
    /// The key of an object member.
    Key(String),
    /// The index of a list item.
    Index(usize),
}

/// Formats segments as a JSON path.
pub fn format_path(steps: &[PathSegment]) -> String {
    let mut path = "$".to_owned();
    for step in steps {
        match step {
            PathSegment::Key(key) => push_key(&mut path, key),
            PathSegment::Index(index) => push_index(&mut path, *index),
        }
    }
    path
}

/// Converts a JSON pointer into `root` to a JSON path. The value decides which segments are list indices.
pub(crate) fn from_pointer(root: &Value, pointer: &str) -> String {
    let mut path = "$".to_owned();
    let mut value = Some(root);
    for segment in pointer.split('/').skip(1) {
        let key = segment.replace("~1", "/").replace("~0", "~");
        match (value, key.parse::<usize>()) {
            (Some(Value::Array(items)), Ok(index)) => {
                push_index(&mut path, index);
                value = items.get(index);
            }
            _ => {
                push_key(&mut path, &key);
                value = value.and_then(|value| value.get(&key));
            }
        }
    }
    path
}

/// Appends the segment of a member: `.name`, or `["a b"]`.
pub(crate) fn push_key(path: &mut String, key: &str) {
    if is_identifier(key) && key.len() <= MAX_KEY_BYTES {
        path.push('.');
        path.push_str(key);
        return;
    }
    let shown = truncate(key, MAX_KEY_BYTES);
    let ellipsis = if shown.len() < key.len() { "…" } else { "" };
    push(path, format_args!("[{}]", Value::String(format!("{shown}{ellipsis}"))));
}

/// Appends the segment of a list item: `[0]`.
pub(crate) fn push_index(path: &mut String, index: usize) {
    push(path, format_args!("[{index}]"));
}

fn push(path: &mut String, segment: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = path.write_fmt(segment);
}

/// Maximum length of a key in a path. The keys of a reply are unbounded.
const MAX_KEY_BYTES: usize = 60;

fn is_identifier(key: &str) -> bool {
    let mut bytes = key.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn writes_keys_and_indices() {
        let value = json!({ "fields": [{ "name": 1, "a b": { "0": { "x/y~z": 1 } } }] });
        let path = |pointer| from_pointer(&value, pointer);
        assert_eq!(path(""), "$");
        assert_eq!(path("/fields/0/name"), "$.fields[0].name");
        assert_eq!(path("/fields/0/a b/0/x~1y~0z"), r#"$.fields[0]["a b"]["0"]["x/y~z"]"#);
        assert_eq!(path("/absent/0"), r#"$.absent["0"]"#);
        assert_eq!(path(&format!("/{}", "k".repeat(1_000_000))).len(), 68);
    }
}
