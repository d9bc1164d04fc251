//! Texts as Postgres can keep them: without the character U+0000.

use std::borrow::Cow;

/// The character that stands for U+0000 with a `0` after it, and for itself with a `1`.
const ESCAPE: char = '\u{1a}';

/// Converts a text to that of a column.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', ESCAPE]) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        match char {
            '\0' => escaped.extend([ESCAPE, '0']),
            ESCAPE => escaped.extend([ESCAPE, '1']),
            _ => escaped.push(char),
        }
    }
    Cow::Owned(escaped)
}

/// Converts the text of a column back.
pub(crate) fn unescape(text: String) -> String {
    if !text.contains(ESCAPE) {
        return text;
    }
    let mut original = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        original.push(match char {
            ESCAPE if chars.next() == Some('0') => '\0',
            _ => char,
        });
    }
    original
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back() {
        for text in ["", "plain", "\0", "a\0b\u{1a}c", "\u{1a}\u{1a}0", "\u{1a}1\0\0"] {
            let escaped = escape(text);
            assert!(!escaped.contains('\0'), "{escaped:?}");
            assert_eq!(unescape(escaped.into_owned()), text);
        }
    }
}
