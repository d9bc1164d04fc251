//! Texts as they are read and shown: marks before them, and characters that are not seen.

/// A text without the byte order mark that some editors put before it.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// JSON in which nothing steers a terminal or is invisible: such characters stand in texts alone, and are
/// escaped there.
pub(crate) fn escaped(json: &str) -> String {
    written(json, |c| {
        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
    })
}

/// A text for people, in which characters that steer a terminal or are invisible are escaped.
pub(crate) fn visible(text: &str) -> String {
    written(text, |c| c.escape_unicode().to_string())
}

fn written(text: &str, escape: impl Fn(char) -> String) -> String {
    if !text.chars().any(is_hidden) {
        return text.to_owned();
    }
    text.chars().map(|c| if is_hidden(c) { escape(c) } else { c.into() }).collect()
}

/// Whether a character is none that is seen: a control character that is no white space, one that changes the
/// direction of writing, or one without a width.
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
        assert_eq!(visible(text), "a\\u{9b}31m\\u{1b}[1m\\u{202e}b\\u{200b}\\u{feff}\tc\nä\\u{7f}");
        let json = escaped(&serde_json::to_string(text).unwrap());
        assert!(!json.chars().any(is_hidden), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
