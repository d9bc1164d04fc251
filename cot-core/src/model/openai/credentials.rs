//! The key, and the guard that nothing a server says repeats it.

use reqwest::header::HeaderValue;

use super::OpenAiBuildError;

/// How much of a server's text goes into an error.
const QUOTED: usize = 300;

/// What is sent as `Authorization`. Has no `Debug`, so that nothing that holds it can show it.
pub(super) struct Credentials(Option<Bearer>);

struct Bearer {
    key: String,
    header: HeaderValue,
}

impl Credentials {
    pub(super) const fn none() -> Self {
        Self(None)
    }

    pub(super) fn bearer(key: String) -> Result<Self, OpenAiBuildError> {
        // A header would take more, but a blank, a line break or an `ü` is a slip in copying.
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(OpenAiBuildError::Key);
        }
        let mut header =
            HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| OpenAiBuildError::Key)?;
        header.set_sensitive(true);
        Ok(Self(Some(Bearer { key, header })))
    }

    pub(super) fn header(&self) -> Option<&HeaderValue> {
        self.0.as_ref().map(|bearer| &bearer.header)
    }

    /// The beginning of a text that came from the server, fit for an error: on one line, and without
    /// the key, which servers like to repeat.
    pub(super) fn quote(&self, text: &str) -> String {
        let start = self.start_without_key(text);
        let shown = first_chars(&start, QUOTED);
        let mut quoted = shown.trim().replace(char::is_control, " ");
        if shown.len() < start.len() {
            quoted.push('…');
        }
        quoted
    }

    // Replaces before it cuts: a key across the cut would no longer be found.
    fn start_without_key(&self, text: &str) -> String {
        let Some(Bearer { key, .. }) = &self.0 else {
            return first_chars(text, QUOTED + 1).to_owned();
        };
        let mut start = String::new();
        for (index, piece) in text.split(key.as_str()).enumerate() {
            if start.len() > 4 * QUOTED {
                break;
            }
            start.push_str(if index > 0 { "[key]" } else { "" });
            start.push_str(first_chars(piece, QUOTED + 1));
        }
        start
    }
}

fn first_chars(text: &str, count: usize) -> &str {
    let end = text.char_indices().nth(count).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hide_the_key_and_are_short() {
        let credentials = Credentials::bearer("sk-secret".to_owned()).unwrap();
        assert_eq!(credentials.quote(" no\nsk-secret! "), "no [key]!");
        for before in 285..305 {
            let text = "é".repeat(before) + "sk-secret" + &"z".repeat(400);
            let quoted = credentials.quote(&text);
            assert!(!quoted.contains("sk"), "{quoted}");
            assert!(quoted.chars().count() <= QUOTED + 1 && quoted.ends_with('…'));
        }
        let quoted = credentials.quote(&"sk-secret ".repeat(1000));
        assert!(quoted.starts_with("[key] [key]") && !quoted.contains("sk"), "{quoted}");
        assert_eq!(Credentials::none().quote(&"a".repeat(300)), "a".repeat(300));
    }

    #[test]
    fn keys_that_no_header_can_hold_are_refused() {
        for key in ["", " ", "sk-a\nb", "sk-ü", "sk-a "] {
            let error = Credentials::bearer(key.to_owned()).err().unwrap();
            assert!(matches!(error, OpenAiBuildError::Key));
            assert!(!format!("{error:?} {error}").contains("sk-"));
        }
    }
}
