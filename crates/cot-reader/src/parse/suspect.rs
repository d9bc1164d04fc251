//! Readings that no one would mean: structure that was taken for text.

/// Whether a text that has quotes inside, not escaped, took in what comes after it: one of them closes
/// what none has opened, or they are those of fields.
pub(super) fn swallows(text: &str, quote: char) -> bool {
    looked_over(text, quote).is_none_or(|around| around.is_open)
}

/// The same for a text that may have been cut off within a quoted part.
pub(super) fn swallows_cut(text: &str, quote: char) -> bool {
    looked_over(text, quote).is_none()
}

/// What was met in a text, unless one of its quotes is part of no quoted words.
fn looked_over(text: &str, quote: char) -> Option<Around> {
    let mut around = Around::default();
    let mut at = 0;
    let mut chars = text.char_indices();
    while let Some((place, c)) = chars.next() {
        if c == '\\' {
            chars.next();
            continue;
        }
        if c == quote {
            around.count_brackets(text.get(at..place).unwrap_or_default());
            at = place + c.len_utf8();
            let before = text.get(..place).unwrap_or_default();
            if around.is_stray(before, text.get(at..).unwrap_or_default(), quote) {
                return None;
            }
        }
    }
    Some(around)
}

/// What was met so far of a text with quotes inside.
#[derive(Default)]
struct Around {
    /// Whether a quote was opened inside.
    is_open: bool,
    /// How many more brackets were opened than closed.
    depth: i64,
    /// Whether the quoted part that is open follows a comma, and so may be a key.
    is_listed: bool,
}

impl Around {
    fn count_brackets(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
        }
    }

    /// Whether the quote between two texts is part of no quoted words.
    fn is_stray(&mut self, before: &str, after: &str, quote: char) -> bool {
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

/// How many blanks are looked over, in bytes.
const MAX_BLANK: usize = 64;

fn after_blank(text: &str) -> Option<char> {
    text.chars().take(MAX_BLANK).find(|c| !c.is_whitespace())
}

const fn is_separator(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | ']' | '}' | '，' | '；' | '：')
}

/// Whether a quote says inches: `24" screen`.
fn is_inch(before: &str, after: &str) -> bool {
    let number = |c: &char| c.is_ascii_digit() || matches!(c, '.' | '/' | '\'');
    let digits = before.chars().rev().take(MAX_BLANK).take_while(number).count();
    let is_number =
        digits > 0 && before.chars().rev().nth(digits).is_none_or(|c| !c.is_alphanumeric());
    is_number
        && after.starts_with(char::is_whitespace)
        && after_blank(after).is_some_and(char::is_alphabetic)
}

/// Whether a quote is an apostrophe at the end of a word: `the dogs' toys`.
fn is_apostrophe(last: Option<char>, next: Option<char>, after: &str) -> bool {
    let is_in_text = || {
        next.is_some_and(char::is_whitespace) && after_blank(after).is_some_and(char::is_alphabetic)
    };
    last.is_some_and(char::is_alphanumeric) && (next.is_none() || is_in_text())
}

/// Whether a key whose quotes are not right holds structure.
pub(super) fn is_odd_key(key: &str) -> bool {
    key.contains(['{', '}', '[', ']', ',', ':', '\\', '，', '：', '；'])
}

/// Whether a text whose quotes are not right is nothing but structure, or begins with what separates
/// values.
pub(super) fn is_odd_text(text: &str) -> bool {
    let text = text.trim();
    let is_structure = |c: char| c.is_whitespace() || "{}[],:\"\\".contains(c);
    text.starts_with([':', ',', '}', ']']) || !text.is_empty() && text.chars().all(is_structure)
}

/// Whether a text without quotes begins with what looks like a quote or a bracket, or is left out.
pub(super) fn is_odd_word(word: &str) -> bool {
    const OPENERS: [char; 9] = ['«', '»', '「', '『', '［', '｛', '（', '【', '…'];
    word.starts_with(OPENERS) || word.starts_with("...") || word.starts_with("&quot;")
}

/// Whether a text ends with a comma and a line break, as if the quote that closes it opened the next.
pub(super) fn ends_after_comma(text: &str) -> bool {
    let trimmed = text.trim_end();
    trimmed.ends_with(',') && text.get(trimmed.len()..).is_some_and(|blank| blank.contains('\n'))
}

/// Whether a text whose closing quote is missing shows at one of its ends that it is none.
pub(super) fn has_odd_end(text: &str) -> bool {
    let trimmed = text.trim();
    let closes =
        |closer: char, opener: char| trimmed.ends_with(closer) && !trimmed.contains(opener);
    text.starts_with(char::is_whitespace)
        || trimmed.ends_with([',', ':', '{', '[', '\\'])
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
