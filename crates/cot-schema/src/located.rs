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
        if message.starts_with(NO_VARIANT) {
            return VARIANT.to_owned();
        }
        let position = format!(" at line {line} column {column}");
        message.strip_suffix(&position).map_or_else(|| message.clone(), str::to_owned)
    }
}

/// What `serde_json` says of an enum that is neither a string nor an object.
const NO_VARIANT: &str = "expected value";

/// The message for such a value.
const VARIANT: &str = "expected a string, or a map with a single key";

/// Returns the number of bytes before the end of the position of an error.
fn offset(json: &str, error: &serde_json::Error) -> usize {
    let lines = json.split_inclusive('\n').take(error.line().saturating_sub(1));
    let end = lines.map(str::len).sum::<usize>().saturating_add(error.column()).min(json.len());
    // An error of syntax, as that of an enum which is neither a string nor an object, counts the byte that follows.
    if error.is_syntax() { end.saturating_sub(1) } else { end }
}

/// A list or an object that is open.
enum Open<'t> {
    List(usize),
    /// The quoted key of the member, once its colon was read.
    Object(Option<&'t str>),
}

/// Returns the path of the value at an offset of valid JSON text. `serde_json` reports a list or an object of the wrong
/// type before its first byte, and any other value after its last one.
fn path_before(json: &str, end: usize) -> String {
    let mut open: Vec<Open<'_>> = Vec::new();
    let (mut at, mut key) = (0, "");
    while let Some(byte) = json.as_bytes().get(at).filter(|_| at < end) {
        let next = if *byte == b'"' { end_of_string(json, at) } else { at + 1 };
        match byte {
            b'"' => key = json.get(at..next).unwrap_or_default(),
            b'[' => open.push(Open::List(0)),
            b'{' => open.push(Open::Object(None)),
            b']' | b'}' => drop(open.pop()),
            b':' | b',' => advance(open.last_mut(), *byte, key),
            _ => {}
        }
        at = next;
    }
    if let (Some(Open::Object(member @ None)), Some(b'"')) =
        (open.last_mut(), json.as_bytes().get(at.wrapping_sub(1)))
    {
        // The key itself was refused.
        *member = Some(key);
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
            *value.pointer_mut(place.get::<String>(&places)).unwrap() = wrong;
            let json = if is_pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
            let tracked = serde_path_to_error::deserialize::<_, Sample>(&value);
            if let Err(error) = tracked {
                let (path, message) = located(&json);
                let expected = error.path().to_string();
                let expected = match expected.as_str() {
                    "." => "$".to_owned(),
                    list if list.starts_with('[') => format!("${list}"),
                    member => format!("$.{member}"),
                };
                let path = path.replace(r#"["x y"]"#, ".x y").replace(r#"["["]"#, ".[");
                // Tracking stops at a variant.
                let is_inside = expected.ends_with(".kind") && path.starts_with(&expected);
                prop_assert!(path == expected || is_inside, "{} and {}: {}", path, expected, json);
                let tracked = error.inner().to_string();
                let is_of_enum = ["expected string or map", "expected map with a single key"]
                    .iter()
                    .any(|end| tracked.ends_with(end));
                let is_alike = tracked == message || is_of_enum && message == VARIANT;
                prop_assert!(is_alike, "{} and {}", message, tracked);
            }
        }
    }
}
