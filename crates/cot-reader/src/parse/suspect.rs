//! Detects strings that contain structure of the surrounding JSON by mistake.

/// Returns whether a text with unescaped inner quotes extends beyond its end: the quotes are unbalanced, or
/// belong to fields.
pub(super) fn swallows(text: &str, quote: char) -> bool {
    inspect_quotes(text, quote).is_none_or(|inspection| inspection.is_open)
}

/// Like [`swallows`], for a text that may be truncated within a quotation.
pub(super) fn swallows_cut(text: &str, quote: char) -> bool {
    inspect_quotes(text, quote).is_none()
}

/// Inspects the inner quotes of a text. Returns `None` if one of them does not belong to a quotation.
fn inspect_quotes(text: &str, quote: char) -> Option<QuoteInspection> {
    let mut inspection = QuoteInspection::default();
    let mut at = 0;
    let mut chars = text.char_indices();
    while let Some((place, c)) = chars.next() {
        if c == '\\' {
            chars.next();
            continue;
        }
        if c == quote {
            inspection.count_brackets(text.get(at..place).unwrap_or_default());
            at = place + c.len_utf8();
            let before = text.get(..place).unwrap_or_default();
            if inspection.visit_quote(before, text.get(at..).unwrap_or_default(), quote) {
                return None;
            }
        }
    }
    Some(inspection)
}

/// The state of the inspection of inner quotes.
#[derive(Default)]
struct QuoteInspection {
    /// Whether a quotation is open.
    is_open: bool,
    /// The number of opened minus the number of closed brackets.
    depth: i64,
    /// Whether the open quotation follows a comma, so that it may be a key.
    is_listed: bool,
}

impl QuoteInspection {
    fn count_brackets(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
        }
    }

    /// Visits the quote between two texts. Returns whether it does not belong to a quotation.
    fn visit_quote(&mut self, before: &str, after: &str, quote: char) -> bool {
        let (last, next) = (before.chars().next_back(), after.chars().next());
        if last.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric) {
            return false;
        }
        if self.is_open {
            self.is_open = false;
            let is_key = after_blank(after).is_some_and(|c| matches!(c, ':' | '：'));
            return self.is_listed && is_key && self.depth <= 0;
        }
        let is_end = next.is_none_or(|c| c.is_whitespace() || is_separator(c));
        if is_end {
            return !(is_inch(before, after) || quote == '\'' && is_apostrophe(last, next, after));
        }
        if last.is_some_and(char::is_alphanumeric) {
            return false;
        }
        self.is_open = true;
        let listed = before.get(before.len().saturating_sub(MAX_BLANK)..).unwrap_or(before);
        self.is_listed = listed.trim_end().ends_with([',', '，']);
        false
    }
}

/// Maximum length of white space that is skipped, in bytes.
const MAX_BLANK: usize = 64;

fn after_blank(text: &str) -> Option<char> {
    text.chars().take(MAX_BLANK).find(|c| !c.is_whitespace())
}

const fn is_separator(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | ']' | '}' | '，' | '；' | '：')
}

/// Returns whether a quote is an inch mark: `24" screen`.
fn is_inch(before: &str, after: &str) -> bool {
    let number = |c: &char| c.is_ascii_digit() || matches!(c, '.' | '/' | '\'');
    let digits = before.chars().rev().take(MAX_BLANK).take_while(number).count();
    let is_number =
        digits > 0 && before.chars().rev().nth(digits).is_none_or(|c| !c.is_alphanumeric());
    is_number
        && after.starts_with(char::is_whitespace)
        && after_blank(after).is_some_and(char::is_alphabetic)
}

/// Returns whether a quote is an apostrophe at the end of a word: `the dogs' toys`.
fn is_apostrophe(last: Option<char>, next: Option<char>, after: &str) -> bool {
    let is_in_text = || {
        next.is_some_and(char::is_whitespace) && after_blank(after).is_some_and(char::is_alphabetic)
    };
    last.is_some_and(char::is_alphanumeric) && (next.is_none() || is_in_text())
}

/// Returns whether a key with wrong quotes contains JSON structure.
pub(super) fn is_odd_key(key: &str) -> bool {
    key.contains(['{', '}', '[', ']', ',', ':', '\\', '，', '：', '；'])
}

/// Returns whether a text with wrong quotes is pure JSON structure or begins with a separator.
pub(super) fn is_odd_text(text: &str) -> bool {
    let text = text.trim();
    let is_structure = |c: char| c.is_whitespace() || "{}[],:\"\\".contains(c);
    text.starts_with([':', ',', '}', ']']) || !text.is_empty() && text.chars().all(is_structure)
}

/// Returns whether an unquoted text begins with an unsupported quote or bracket, or an ellipsis.
pub(super) fn is_odd_word(word: &str) -> bool {
    const OPENERS: [char; 9] = ['«', '»', '「', '『', '［', '｛', '（', '【', '…'];
    word.starts_with(OPENERS) || word.starts_with("...") || word.starts_with("&quot;")
}

/// Returns whether a text ends with a comma and a line break, as if its closing quote opened the next
/// string.
pub(super) fn ends_after_comma(text: &str) -> bool {
    let trimmed = text.trim_end();
    trimmed.ends_with(',') && text.get(trimmed.len()..).is_some_and(|blank| blank.contains('\n'))
}

/// Returns whether a text without a closing quote begins or ends like JSON structure.
pub(super) fn has_odd_end(text: &str) -> bool {
    let trimmed = text.trim();
    let closes =
        |closer: char, opener: char| trimmed.ends_with(closer) && !trimmed.contains(opener);
    let is_open = |opener, closer| text.matches(opener).count() > text.matches(closer).count();
    text.starts_with(char::is_whitespace)
        || trimmed.ends_with([',', ':', '\\'])
        || is_open('{', '}')
        || is_open('[', ']')
        || closes('}', '{')
        || closes(']', '[')
}

#[cfg(test)]
mod tests {
    use super::swallows;

    #[test]
    fn quoted_words_are_text() {
        for text in [
            r#"he said "yes", and went"#,
            r#""yes", he said"#,
            r#"a 24" screen"#,
            r#"v"al"#,
            r#"if (x) { return "a"; }"#,
            r#"the answer is {"b": "c"}, which is right"#,
            r#"<a href="b">c</a>"#,
            r#"[d]("e")"#,
        ] {
            assert!(!swallows(text, '"'), "{text}");
        }
    }

    #[test]
    fn fields_and_items_are_no_text() {
        for text in [
            r#"b" , two"#,
            r#"b", "c"#,
            r#"b",c":"d"#,
            r#"b"], ["c"#,
            r#"b" true}"#,
            r#"a, {"k": 1}, "y": 2"#,
            "b\n\"\n",
            r#"a "b"#,
        ] {
            assert!(swallows(text, '"'), "{text}");
        }
    }
}
