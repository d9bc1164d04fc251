//! Replaces secrets in captures.

use std::{collections::BTreeSet, fmt, ops::Range, sync::Arc};

use serde_json::Value;

use super::{format::Piece, key_patterns};

/// The replacement of a secret.
pub(super) const SCRUBBED: &str = "[scrubbed]";

/// The maximum number of passes over a text: the replacement may form another secret with the text beside
/// it.
const MAX_ROUNDS: usize = 16;

type Function = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// The secrets to replace, and the functions that replace others.
#[derive(Clone)]
pub(super) struct Scrubber {
    /// The secrets, in all their spellings.
    spellings: BTreeSet<String>,
    functions: Vec<Function>,
    finds_keys: bool,
}

impl Scrubber {
    pub(super) fn add_secret(&mut self, secret: &str) {
        if !secret.is_empty() {
            self.spellings.extend(spellings(secret));
        }
    }

    pub(super) fn add_function(
        &mut self,
        function: impl Fn(&str) -> String + Send + Sync + 'static,
    ) {
        self.functions.push(Arc::new(function));
    }

    pub(super) const fn set_find_keys(&mut self, on: bool) {
        self.finds_keys = on;
    }

    /// Returns a copy without the functions, for texts that were scrubbed already: a function need not
    /// return the same text for its own result.
    pub(super) fn without_functions(&self) -> Self {
        Self { functions: Vec::new(), ..self.clone() }
    }

    /// Scrubs a text.
    pub(super) fn text(&self, text: &str) -> String {
        let mut texts = [self.apply_functions(text)];
        self.replace_secrets(&mut texts);
        let [text] = texts;
        text
    }

    /// Scrubs the names and values of a JSON value. A number that contains a secret becomes a text.
    pub(super) fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (self.text(name), self.value(value))).collect()
            }
            Value::Number(number) => {
                let text = number.to_string();
                let scrubbed = self.text(&text);
                if scrubbed == text { value.clone() } else { Value::String(scrubbed) }
            }
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    /// Scrubs a prompt. Secrets that span several segments are found; the functions are called with one
    /// segment at a time.
    pub(super) fn pieces(&self, mut pieces: Vec<Piece>) -> Vec<Piece> {
        let mut texts: Vec<String> =
            pieces.iter().map(|piece| self.apply_functions(&piece.text)).collect();
        self.replace_secrets(&mut texts);
        for (piece, text) in pieces.iter_mut().zip(texts) {
            piece.text = text;
        }
        pieces
    }

    fn apply_functions(&self, text: &str) -> String {
        self.functions.iter().fold(text.to_owned(), |text, function| function(&text))
    }

    /// Replaces the secrets in adjacent texts.
    fn replace_secrets(&self, texts: &mut [String]) {
        let is_safe = !self.spellings.iter().any(|secret| SCRUBBED.contains(&**secret));
        let marker = if is_safe { SCRUBBED } else { "" };
        for round in 0..2 * MAX_ROUNDS {
            let found = self.find_secrets(&texts.concat());
            if found.is_empty() {
                return;
            }
            replace(texts, &found, if round < MAX_ROUNDS { marker } else { "" });
        }
        // If secrets remain, the whole text is removed.
        texts.iter_mut().for_each(String::clear);
    }

    /// Returns the ranges of the secrets, in order. Overlapping and adjacent ranges are merged.
    fn find_secrets(&self, text: &str) -> Vec<Range<usize>> {
        let spelled = self.spellings.iter().flat_map(|secret| {
            text.match_indices(&**secret).map(|(at, found)| at..at + found.len())
        });
        let mut found: Vec<Range<usize>> = spelled.collect();
        if self.finds_keys {
            found.extend(key_patterns::find_keys(text));
        }
        found.sort_by_key(|range| range.start);
        found.dedup_by(|next, last| {
            let is_one = next.start <= last.end;
            if is_one {
                last.end = last.end.max(next.end);
            }
            is_one
        });
        found
    }
}

impl Default for Scrubber {
    fn default() -> Self {
        Self { spellings: BTreeSet::new(), functions: Vec::new(), finds_keys: true }
    }
}

/// Shows no secret.
impl fmt::Debug for Scrubber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scrubber")
            .field("functions", &self.functions.len())
            .field("finds_keys", &self.finds_keys)
            .finish_non_exhaustive()
    }
}

/// Replaces each range by the marker, in the text in which the range starts.
fn replace(texts: &mut [String], ranges: &[Range<usize>], marker: &str) {
    let mut start = 0;
    for text in texts {
        let end = start + text.len();
        let mut kept = String::with_capacity(text.len());
        let mut at = start;
        let touching = ranges.iter().skip_while(|range| range.end <= start);
        for range in touching.take_while(|range| range.start < end) {
            if range.start >= start {
                kept.push_str(&text[at - start..range.start - start]);
                kept.push_str(marker);
            }
            at = range.end.min(end);
        }
        kept.push_str(&text[at - start..]);
        *text = kept;
        start = end;
    }
}

/// Returns the spellings of a secret: as it is, escaped in JSON, and escaped in JSON within JSON.
fn spellings(secret: &str) -> BTreeSet<String> {
    let plain = escape_json(secret);
    let slashed = plain.replace('/', "\\/");
    let lower = escape_non_ascii(&plain, |unit| format!("\\u{unit:04x}"));
    let upper = escape_non_ascii(&plain, |unit| format!("\\u{unit:04X}"));
    let once = [plain, slashed, lower, upper];
    let twice = once.clone().map(|text| escape_json(&text));
    once.into_iter().chain(twice).chain([secret.to_owned()]).collect()
}

fn escape_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&quoted).to_owned()
}

/// Escapes every character beyond ASCII.
fn escape_non_ascii(text: &str, escape: impl Fn(u16) -> String) -> String {
    let mut written = String::new();
    for character in text.chars() {
        if character.is_ascii() {
            written.push(character);
        } else {
            written.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| escape(*unit)));
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use cot_model::Stability;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn scrub(secrets: &[&str]) -> Scrubber {
        let mut scrub = Scrubber::default();
        secrets.iter().for_each(|secret| scrub.add_secret(secret));
        scrub
    }

    fn pieces(texts: &[&str]) -> Vec<Piece> {
        let piece = |text: &&str| Piece {
            part: None,
            stability: Stability::Fixed,
            text: (*text).to_owned(),
        };
        texts.iter().map(piece).collect()
    }

    #[test]
    fn secrets_are_taken_out_in_every_spelling() {
        let secret = "pa\"ss\n/wörd";
        let scrub = scrub(&[secret]);
        let once = json!(secret).to_string();
        let twice = json!(once).to_string();
        for (text, expected) in [
            (format!("<{secret}>"), "<[scrubbed]>"),
            (once, "\"[scrubbed]\""),
            (twice, r#""\"[scrubbed]\"""#),
            (r#"<pa\"ss\n\/w\u00f6rd>"#.to_owned(), r#"<pa\"ss\n\/w\u00f6rd>"#),
            (r#"<pa\"ss\n\/wörd>"#.to_owned(), "<[scrubbed]>"),
            (r#"<pa\"ss\n/w\u00F6rd>"#.to_owned(), "<[scrubbed]>"),
        ] {
            assert_eq!(scrub.text(&text), expected, "{text}");
        }
    }

    #[test]
    fn secrets_that_overlap_or_reach_over_pieces_are_taken_out() {
        let scrub = scrub(&["abc", "bcd", "user:pass"]);
        assert_eq!(scrub.text("abcd abc"), "[scrubbed] [scrubbed]");
        let texts = ["I am us", "er", ":", "password", "abc"];
        let scrubbed = scrub.pieces(pieces(&texts));
        let texts: Vec<_> = scrubbed.iter().map(|piece| &*piece.text).collect();
        assert_eq!(texts, ["I am [scrubbed]", "", "", "word", "[scrubbed]"]);
        let scrubbed = scrub.pieces(pieces(&["Authorization: Bearer ", "abc123.xyz", "!"]));
        assert_eq!(scrubbed[1].text, "[scrubbed]");
    }

    #[test]
    fn an_empty_text_is_no_secret_and_a_part_of_the_marker_is_one() {
        assert_eq!(scrub(&[""]).text("abc"), "abc");
        assert_eq!(scrub(&["scrub", "x"]).text("a scrub x [scrubbed]"), "a   [bed]");
    }

    #[test]
    fn what_a_replacement_makes_up_is_taken_out_too() {
        assert!(!scrub(&["abc", "]x"]).text("abcx").contains("]x"));
        let nested = format!("{}{}", "a".repeat(1000), "b".repeat(1000));
        assert!(!scrub(&["ab", "["]).text(&nested).contains("ab"));
    }

    #[test]
    fn keys_are_taken_out_unless_switched_off() {
        let text = "sk-abcdefghijklmnop0123 and Bearer abcdef0123456789";
        let mut scrub = Scrubber::default();
        assert_eq!(scrub.text(text), "[scrubbed] and Bearer [scrubbed]");
        scrub.set_find_keys(false);
        assert_eq!(scrub.text(text), text);
    }

    #[test]
    fn values_are_scrubbed_in_names_texts_and_numbers() {
        let mut scrub = scrub(&["1234", "hunter2"]);
        scrub.add_function(|text| text.replace("Ada", "A."));
        let value = json!({ "hunter2": [1234, 5, true, null, "hunter2", { "name": "Ada" }] });
        let expected =
            json!({ "[scrubbed]": ["[scrubbed]", 5, true, null, "[scrubbed]", { "name": "A." }] });
        assert_eq!(scrub.value(&value), expected);
        assert_eq!(scrub.without_functions().value(&value)["[scrubbed]"][5]["name"], "Ada");
        assert!(!format!("{scrub:?}").contains("hunter2"));
    }

    proptest! {
        #[test]
        fn no_secret_is_left(
            secrets in prop::collection::vec("[ab\\[\\]scrubed\"\\\\\n]{1,4}|.{1,12}", 1..4),
            texts in prop::collection::vec("[ab\\[\\]scrubed\"\\\\\n]{0,30}|.{0,30}", 1..4),
            at in any::<prop::sample::Index>(),
        ) {
            let secrets: Vec<&str> = secrets.iter().map(|secret| &**secret).collect();
            let scrub = scrub(&secrets);
            let mut texts = texts;
            let at = at.index(texts.len());
            for secret in &secrets {
                texts[at].push_str(secret);
                texts[at].push_str(&json!({ "secret": json!(secret).to_string() }).to_string());
            }
            let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
            let scrubbed = scrub.pieces(pieces(&texts));
            let text: String = scrubbed.iter().map(|piece| &*piece.text).collect();
            for secret in secrets {
                prop_assert!(!text.contains(secret), "{secret:?} in {text:?}");
                let quoted = json!(secret).to_string();
                let escaped = &quoted[1..quoted.len() - 1];
                prop_assert!(!text.contains(escaped), "{escaped:?} in {text:?}");
            }
            let again = scrub.without_functions().pieces(scrubbed.clone());
            prop_assert_eq!(again, scrubbed);
        }
    }
}
