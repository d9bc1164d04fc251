//! Texts from models and people.

use std::borrow::Cow;

use maud::{Markup, html};

/// Escapes characters that would hide or reorder a text: controls (but tabs and line ends), marks of the writing direction,
/// and characters without width. Markup is escaped where the text is written.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // The joiners of words and emoji, U+200C and U+200D, are visible in what they join.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => c.is_control(),
    }
}

/// Returns the start of a text on one line, with at most `chars` characters.
pub(crate) fn excerpt(text: &str, chars: usize) -> String {
    let mut rest = text.chars();
    let start: String = rest.by_ref().take(chars).collect();
    let flat = start.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut flat = shown(&flat).into_owned();
    if rest.next().is_some() {
        flat.push('…');
    }
    flat
}

/// Returns whether a name fits on one line of a column, so that it need not be broken.
pub(crate) const fn is_short(name: &str) -> bool {
    name.len() <= 28
}

/// Returns the beginning of a text with at most so many bytes, at the end of a line if one is near.
pub(crate) fn beginning(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let end = (0..=max).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let start = &text[..end];
    match start.rfind('\n') {
        Some(line) if line > end / 2 => &start[..line],
        _ => start,
    }
}

/// A text as it is, with its line ends, in a frame that scrolls.
pub(crate) fn block(text: &str) -> Markup {
    html! { pre.block dir="auto" tabindex="0" { (shown(text)) } }
}

/// A JSON value, indented.
pub(crate) fn json(value: &serde_json::Value) -> Markup {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    html! { pre.block.json tabindex="0" { code { (shown(&text)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(shown("a\u{202e}b\0\u{1b}[2J\n\tä"), "a\\u{202e}b\\u{0}\\u{1b}[2J\n\tä");
        assert_eq!(shown("👩\u{200d}🔬"), "👩\u{200d}🔬");
    }

    #[test]
    fn excerpts_are_one_line() {
        assert_eq!(excerpt("a\n  b\u{1b} c", 5), "a b…");
        assert_eq!(excerpt("abc", 3), "abc");
    }
}
