//! Byte order marks and hidden characters in texts.

/// Removes the byte order mark that some editors write.
pub(crate) fn strip_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Escapes the hidden characters of JSON. They occur only in its strings, where escapes are valid.
pub(crate) fn escape_json(json: &str) -> String {
    escape_with(json, |c| {
        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
    })
}

/// Escapes the hidden characters of a text for people.
pub(crate) fn escape_hidden(text: &str) -> String {
    escape_with(text, |c| c.escape_unicode().to_string())
}

fn escape_with(text: &str, escape: impl Fn(char) -> String) -> String {
    if !text.chars().any(is_hidden) {
        return text.to_owned();
    }
    text.chars().map(|c| if is_hidden(c) { escape(c) } else { c.into() }).collect()
}

/// Returns whether a character is invisible or controls a terminal: a control character other than
/// whitespace, a change of the writing direction, or a character without width.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_or_is_invisible_is_escaped() {
        let text = "a\u{9b}31m\u{1b}[1m\u{202e}b\u{200b}\u{feff}\tc\nä\u{7f}";
        assert_eq!(
            escape_hidden(text),
            "a\\u{9b}31m\\u{1b}[1m\\u{202e}b\\u{200b}\\u{feff}\tc\nä\\u{7f}"
        );
        let json = escape_json(&serde_json::to_string(text).unwrap());
        assert!(!json.chars().any(is_hidden), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
