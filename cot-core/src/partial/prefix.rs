//! Reads the JSON of a reply that is still coming in.

use serde_json::{Map, Value};

/// What has come of a reply's JSON.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prefix {
    pub(super) value: Value,
    /// How many values along the way from the root to the last one are not finished.
    pub(super) open: usize,
}

/// What has come of the first object or list of a text.
pub(super) fn of(text: &str) -> Option<Prefix> {
    let start = text.find(['{', '['])?;
    let mut scanner = Scanner { text, at: start };
    let (value, open) = scanner.value(0)?;
    Some(Prefix { value, open })
}

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 128;

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// A value, and how many along its last branch are not finished.
type Found = (Value, usize);

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    /// A value; `None` if there is too little of it to tell what it is.
    fn value(&mut self, depth: usize) -> Option<Found> {
        match self.peek()? {
            b'{' if depth < MAX_DEPTH => Some(self.members(depth)),
            b'[' if depth < MAX_DEPTH => Some(self.items(depth)),
            b'"' => self.string(),
            _ => self.word(),
        }
    }

    fn members(&mut self, depth: usize) -> Found {
        let mut members = Map::new();
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'}' => {
                    self.at += 1;
                    return (Value::Object(members), 0);
                }
                b',' => self.at += 1,
                _ => match self.member(depth) {
                    Some((key, (value, open))) => {
                        members.insert(key, value);
                        if open > 0 {
                            return (Value::Object(members), open + 1);
                        }
                    }
                    None => break,
                },
            }
        }
        (Value::Object(members), 1)
    }

    fn member(&mut self, depth: usize) -> Option<(String, Found)> {
        let Some((Value::String(key), 0)) = self.string() else {
            return None;
        };
        if self.peek()? != b':' {
            return None;
        }
        self.at += 1;
        Some((key, self.value(depth + 1)?))
    }

    fn items(&mut self, depth: usize) -> Found {
        let mut items = Vec::new();
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b']' => {
                    self.at += 1;
                    return (Value::Array(items), 0);
                }
                b',' => self.at += 1,
                _ => match self.value(depth + 1) {
                    Some((value, open)) => {
                        items.push(value);
                        if open > 0 {
                            return (Value::Array(items), open + 1);
                        }
                    }
                    None => break,
                },
            }
        }
        (Value::Array(items), 1)
    }

    fn string(&mut self) -> Option<Found> {
        let rest = self.rest().strip_prefix('"')?;
        let mut is_escaped = false;
        let end = rest.bytes().position(|byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        });
        let Some(end) = end else {
            return Some((begun(rest), 1));
        };
        let text = serde_json::from_str(&self.rest()[..end + 2]).ok()?;
        self.at += end + 2;
        Some((Value::String(text), 0))
    }

    fn word(&mut self) -> Option<Found> {
        let rest = self.rest();
        // A word at the end of the text may go on.
        let end = rest.find([',', '}', ']', ' ', '\n', '\r', '\t'])?;
        let value = serde_json::from_str(&rest[..end]).ok()?;
        self.at += end;
        Some((value, 0))
    }
}

/// Longest escape: two halves of a character.
const MAX_ESCAPE: usize = 12;

/// The text of a string that has no end yet, without an escape that has none.
fn begun(rest: &str) -> Value {
    let whole = |cut: usize| {
        let text = rest.get(..rest.len().checked_sub(cut)?)?;
        serde_json::from_str(&format!("\"{text}\"")).ok()
    };
    Value::String((0..MAX_ESCAPE).find_map(whole).unwrap_or_default())
}
