//! The strict parser of incomplete JSON. Since it makes no repairs, later text never changes the parsed
//! part.

use serde_json::{Map, Value, map::Entry};

/// Parses an incomplete object or list. Returns it with the number of unfinished values on the path to its
/// last descendant.
///
/// Unfinished strings are included, unfinished numbers and words are not. Returns `None` if the text is not
/// a prefix of valid JSON.
pub(crate) fn parse_incomplete(json: &str) -> Option<(Value, usize)> {
    let mut reader = IncompleteParser { json, at: 0 };
    match reader.peek()? {
        b'{' | b'[' => reader.value(0).ok()?,
        _ => None,
    }
}

/// Maximum nesting depth.
const MAX_DEPTH: usize = 128;

struct IncompleteParser<'a> {
    json: &'a str,
    at: usize,
}

/// The error of a text that no continuation can make valid.
struct Malformed;

/// A value with the number of unfinished values at its end, or `None` if too little was received.
type ParsedPrefix = Result<Option<(Value, usize)>, Malformed>;

impl IncompleteParser<'_> {
    fn value(&mut self, depth: usize) -> ParsedPrefix {
        match self.peek() {
            None => Ok(None),
            Some(b'{' | b'[') if depth == MAX_DEPTH => Err(Malformed),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string(),
            Some(_) => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> ParsedPrefix {
        let mut members = Map::new();
        let mut is_first = true;
        while self.next_item(b'}', is_first)? {
            is_first = false;
            let Some((key, value, open)) = self.member(depth)? else {
                return Ok(Some((Value::Object(members), 1)));
            };
            match members.entry(key) {
                Entry::Occupied(_) => return Err(Malformed),
                Entry::Vacant(place) => _ = place.insert(value),
            }
            if open > 0 {
                return Ok(Some((Value::Object(members), open + 1)));
            }
        }
        let open = self.close();
        Ok(Some((Value::Object(members), open)))
    }

    fn member(&mut self, depth: usize) -> Result<Option<(String, Value, usize)>, Malformed> {
        if self.peek() != Some(b'"') {
            return Err(Malformed);
        }
        let Some((Value::String(key), 0)) = self.string()? else {
            return Ok(None);
        };
        match self.peek() {
            None => return Ok(None),
            Some(b':') => self.at += 1,
            Some(_) => return Err(Malformed),
        }
        Ok(self.value(depth + 1)?.map(|(value, open)| (key, value, open)))
    }

    fn list(&mut self, depth: usize) -> ParsedPrefix {
        let mut items = Vec::new();
        while self.next_item(b']', items.is_empty())? {
            let Some((item, open)) = self.value(depth + 1)? else {
                return Ok(Some((Value::Array(items), 1)));
            };
            items.push(item);
            if open > 0 {
                return Ok(Some((Value::Array(items), open + 1)));
            }
        }
        let open = self.close();
        Ok(Some((Value::Array(items), open)))
    }

    /// Moves past the opening bracket or comma. Returns whether an item follows; stops at a closing bracket.
    fn next_item(&mut self, closer: u8, is_first: bool) -> Result<bool, Malformed> {
        if is_first {
            self.at += 1;
            return Ok(self.peek().is_some_and(|byte| byte != closer));
        }
        match self.peek() {
            None => Ok(false),
            Some(byte) if byte == closer => Ok(false),
            Some(b',') => {
                self.at += 1;
                Ok(self.peek().is_some())
            }
            Some(_) => Err(Malformed),
        }
    }

    /// Skips the closing bracket. Returns the number of unfinished values: 1 if the bracket is not there
    /// yet.
    fn close(&mut self) -> usize {
        if self.peek().is_none() {
            return 1;
        }
        self.at += 1;
        0
    }

    fn string(&mut self) -> ParsedPrefix {
        let start = self.at;
        let mut at = start + 1;
        while let Some(byte) = self.json.as_bytes().get(at) {
            match byte {
                b'"' => {
                    self.at = at + 1;
                    return Ok(Some((self.text(start, at)?, 0)));
                }
                b'\\' => match escape(self.json.as_bytes().get(at..).unwrap_or_default()) {
                    Some(length) => at += length,
                    None => break,
                },
                0..0x20 => return Err(Malformed),
                _ => at += 1,
            }
        }
        self.at = self.json.len();
        Ok(Some((self.text(start, at)?, 1)))
    }

    /// Returns the string between an opening quote and a position.
    fn text(&self, quote: usize, end: usize) -> Result<Value, Malformed> {
        let text = self.json.get(quote + 1..end).unwrap_or_default();
        if !text.contains('\\') {
            return Ok(Value::String(text.to_owned()));
        }
        serde_json::from_str(&format!("\"{text}\"")).map(Value::String).map_err(|_| Malformed)
    }

    /// Parses a number, a boolean or `null`. It is finished only if another token follows.
    fn word(&mut self) -> ParsedPrefix {
        let rest = self.json.get(self.at..).unwrap_or_default();
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        let (word, _) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
        self.at += word.len();
        match self.peek() {
            None => Ok(None),
            Some(b',' | b'}' | b']') => {
                serde_json::from_str(word).map(|value| Some((value, 0))).map_err(|_| Malformed)
            }
            Some(_) => Err(Malformed),
        }
    }

    fn peek(&mut self) -> Option<u8> {
        let bytes = self.json.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }
}

/// Returns the length of an escape, or `None` if it is incomplete. A high surrogate ends with its low
/// surrogate.
fn escape(rest: &[u8]) -> Option<usize> {
    const UNIT: usize = r"\u0000".len();
    if rest.get(1)? != &b'u' {
        return Some(2);
    }
    let is_half = matches!(rest.get(2..4)?, [b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B']);
    let length = if is_half && has_second(rest.get(UNIT..)?) { 2 * UNIT } else { UNIT };
    (length <= rest.len()).then_some(length)
}

/// Returns whether a low surrogate follows or may still follow.
fn has_second(rest: &[u8]) -> bool {
    rest.iter().zip(br"\u").all(|(byte, expected)| byte == expected)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::parse_incomplete;

    #[test]
    fn what_is_not_finished_is_left_out_or_told_as_far_as_it_came() {
        assert_eq!(parse_incomplete(""), None);
        for (text, value, open) in [
            ("{", json!({}), 1),
            (r#"{"a"#, json!({}), 1),
            (r#"{"a":"#, json!({}), 1),
            (r#"{"a":12"#, json!({}), 1),
            (r#"{"a":12 "#, json!({}), 1),
            (r#"{"a":12 ,"#, json!({ "a": 12 }), 1),
            (r#"{"a":["b", "c"#, json!({ "a": ["b", "c"] }), 3),
            (r#"{"a":["b", "c", tr"#, json!({ "a": ["b", "c"] }), 2),
            (r#"{"a":["b", "c", true]"#, json!({ "a": ["b", "c", true] }), 1),
            (r#"{"a":[ ] , "b": {"c": nu"#, json!({ "a": [], "b": {} }), 2),
            ("[1, null] and more", json!([1, null]), 0),
        ] {
            assert_eq!(parse_incomplete(text), Some((value, open)), "{text}");
        }
    }

    #[test]
    fn escapes_come_as_a_whole() {
        for (text, value) in [
            (r#"["a\"#, "a"),
            (r#"["a\n"#, "a\n"),
            (r#"["a\u00e"#, "a"),
            (r#"["a\u00e9"#, "aé"),
            (r#"["a\ud83d"#, "a"),
            (r#"["a\ud83d\"#, "a"),
            (r#"["a\ud83d\ude0"#, "a"),
            (r#"["a\ud83d\ude00"#, "a😀"),
        ] {
            assert_eq!(parse_incomplete(text), Some((json!([value]), 2)), "{text}");
        }
    }

    #[test]
    fn what_can_not_become_json_is_none() {
        for text in [
            "1",
            "{a",
            "{,",
            "[,",
            "[1,]",
            r#"{"a" 1"#,
            r#"{"a": 1 "b""#,
            r#"{"a": 1, "a": 2,"#,
            r#"["\ud83dx""#,
            r#"["\é", "#,
            "[\"a\n",
            "[1 2,",
            "[tru,",
            "[}",
        ] {
            assert_eq!(parse_incomplete(text), None, "{text}");
        }
        assert_eq!(parse_incomplete(&"[".repeat(100_000)), None);
    }
}
