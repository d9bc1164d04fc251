//! Deserialization errors with the path of the value. Types are not deserialized again for the path: it follows from
//! the position of the error in the text.

use serde::de::DeserializeOwned;

use crate::path::{PathSegment, format_path};

/// An error of deserializing JSON text.
#[derive(Debug)]
pub struct LocatedError {
    /// The path of the value that the type refused.
    pub path: String,
    /// The error, with the position in the text.
    pub source: serde_json::Error,
}

/// Deserializes JSON text.
///
/// # Errors
///
/// Returns the error of `serde_json` with the path of the value.
pub fn read_located<T: DeserializeOwned>(json: &str) -> Result<T, LocatedError> {
    serde_json::from_str(json).map_err(|source| LocatedError::new(json, source))
}

impl LocatedError {
    #[inline(never)]
    fn new(json: &str, source: serde_json::Error) -> Self {
        Self { path: path_before(json, offset(json, &source)), source }
    }

    /// Returns what is wrong, without the position in the text.
    pub fn message(&self) -> String {
        let (line, column) = (self.source.line(), self.source.column());
        let message = self.source.to_string();
        let position = format!(" at line {line} column {column}");
        message.strip_suffix(&position).map_or_else(|| message.clone(), str::to_owned)
    }
}

/// Returns the number of bytes before the end of the position of an error.
fn offset(json: &str, error: &serde_json::Error) -> usize {
    let lines = json.split_inclusive('\n').take(error.line().saturating_sub(1));
    lines.map(str::len).sum::<usize>().saturating_add(error.column()).min(json.len())
}

/// A list or an object that is open.
enum Open<'t> {
    List(usize),
    /// The quoted key of the member, once its colon was read.
    Object(Option<&'t str>),
}

/// Returns the path of the innermost value that holds the last byte before an offset of valid JSON text.
fn path_before(json: &str, end: usize) -> String {
    let mut open: Vec<Open<'_>> = Vec::new();
    let (mut at, mut key) = (0, "");
    while let Some(byte) = json.as_bytes().get(at).filter(|_| at < end) {
        let next = if *byte == b'"' { end_of_string(json, at) } else { at + 1 };
        match byte {
            b'"' => key = json.get(at..next).unwrap_or_default(),
            // The error of a list or an object as a whole can be at its first byte.
            b'[' if next < end => open.push(Open::List(0)),
            b'{' if next < end => open.push(Open::Object(None)),
            b']' | b'}' => drop(open.pop()),
            b':' | b',' => advance(open.last_mut(), *byte, key),
            _ => {}
        }
        at = next;
    }
    format_path(&open.iter().filter_map(segment).collect::<Vec<_>>())
}

/// Moves to the value after a colon, or to the member or item after a comma.
fn advance<'t>(open: Option<&mut Open<'t>>, byte: u8, key: &'t str) {
    match open {
        Some(Open::List(index)) => *index += 1,
        Some(Open::Object(member)) => *member = (byte == b':').then_some(key),
        None => {}
    }
}

fn segment(open: &Open<'_>) -> Option<PathSegment> {
    match open {
        Open::List(index) => Some(PathSegment::Index(*index)),
        Open::Object(key) => serde_json::from_str((*key)?).ok().map(PathSegment::Key),
    }
}

/// Returns the offset after the closing quote of the string that begins at an offset.
fn end_of_string(json: &str, start: usize) -> usize {
    let mut is_escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(start + 1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Sample {
        name: String,
        size: u8,
        parts: Vec<Sample>,
        by_key: BTreeMap<String, (bool, Option<f64>)>,
        kind: Kind,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    enum Kind {
        Plain,
        Held(u8),
    }

    fn sample(parts: Vec<Value>) -> Value {
        json!({
            "name": "a \"[{,: b", "size": 3, "parts": parts, "kind": "Plain",
            "by_key": { "x y": [true, null], "[": [false, 1.5] },
        })
    }

    fn located(json: &str) -> (String, String) {
        let error = read_located::<Sample>(json).unwrap_err();
        (error.path.clone(), error.message())
    }

    /// All places of a value, as JSON pointers.
    fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
        found.push(at.to_owned());
        match value {
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(index, it)| pointers(it, &format!("{at}/{index}"), found));
            }
            Value::Object(members) => {
                members.iter().for_each(|(key, it)| pointers(it, &format!("{at}/{key}"), found));
            }
            _ => {}
        }
    }

    #[test]
    fn a_path_leads_into_variants() {
        let mut value = sample(vec![]);
        value["kind"] = json!({ "Held": 300 });
        let (path, message) = located(&value.to_string());
        assert_eq!(path, "$.kind.Held");
        assert_eq!(message, "invalid value: integer `300`, expected u8");
    }

    proptest! {
        #[test]
        fn paths_and_messages_are_those_that_tracking_finds(
            place in any::<prop::sample::Index>(),
            wrong in prop::sample::select(vec![
                json!(null), json!("text"), json!(300), json!(-1.5), json!([]), json!({}), json!([[1]]), json!({ "odd": [1] }),
            ]),
            is_pretty in any::<bool>(),
        ) {
            let mut value = sample(vec![sample(vec![]), sample(vec![sample(vec![])])]);
            let mut places = Vec::new();
            pointers(&value, "", &mut places);
            *value.pointer_mut(place.get(&places)).unwrap() = wrong;
            let json = if is_pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
            let tracked = serde_path_to_error::deserialize::<_, Sample>(&value);
            if let Err(error) = tracked {
                let (path, message) = located(&json);
                let expected = error.path().to_string();
                let expected = if expected == "." { "$".to_owned() } else { format!("$.{expected}") };
                prop_assert_eq!(path.replace(r#"["x y"]"#, ".x y").replace(r#"["["]"#, ".["), expected, "{}", json);
                prop_assert_eq!(message, error.inner().to_string());
            }
        }
    }
}
