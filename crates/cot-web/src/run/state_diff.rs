//! What changed between two states.

use serde_json::Value;

/// A change of a value, by its JSON path.
#[derive(Debug, PartialEq)]
pub(super) struct Change<'a> {
    pub(super) path: String,
    /// `None` for a value that was added.
    pub(super) old: Option<&'a Value>,
    /// `None` for a value that was removed.
    pub(super) new: Option<&'a Value>,
}

/// The maximum number of changes.
pub(super) const MAX_CHANGES: usize = 300;

/// Returns the changes from one state to another, the smallest values that differ, at most [`MAX_CHANGES`].
pub(super) fn changes<'a>(old: &'a Value, new: &'a Value) -> Vec<Change<'a>> {
    let mut found = Vec::new();
    compare("$", Some(old), Some(new), &mut found);
    found
}

fn compare<'a>(
    path: &str,
    old: Option<&'a Value>,
    new: Option<&'a Value>,
    found: &mut Vec<Change<'a>>,
) {
    if old == new || found.len() >= MAX_CHANGES {
        return;
    }
    match (old, new) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            for (key, value) in old {
                compare(&member(path, key), Some(value), new.get(key), found);
            }
            for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
                compare(&member(path, key), None, Some(value), found);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for index in 0..old.len().max(new.len()) {
                compare(&format!("{path}[{index}]"), old.get(index), new.get(index), found);
            }
        }
        _ => found.push(Change { path: path.to_owned(), old, new }),
    }
}

fn member(path: &str, key: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !key.is_empty() && key.len() <= 60 && key.chars().all(is_plain) {
        return format!("{path}.{key}");
    }
    let short: String = key.chars().take(60).collect();
    format!("{path}[{}]", Value::String(short))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_are_the_smallest_values_that_differ() {
        let old = json!({ "a": 1, "b": { "c": [1, 2] }, "gone": true, "same": "x" });
        let new = json!({ "a": 2, "b": { "c": [1, 3, 4] }, "same": "x", "a b": null });
        let changes = changes(&old, &new);
        let paths: Vec<_> = changes
            .iter()
            .map(|it| (it.path.as_str(), it.old.is_some(), it.new.is_some()))
            .collect();
        let expected = [
            ("$.a", true, true),
            ("$.b.c[1]", true, true),
            ("$.b.c[2]", false, true),
            ("$.gone", true, false),
            ("$[\"a b\"]", false, true),
        ];
        assert_eq!(paths, expected);
    }
}
