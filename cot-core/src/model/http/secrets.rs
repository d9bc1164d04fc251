//! What is secret about talking to a server, and the guard that no error repeats it.

/// How much of a server's text goes into an error.
const QUOTED: usize = 300;

/// The shortest text that is hidden. Shorter ones are all over a server's words, and no secrets.
const HIDDEN: usize = 4;

/// All that is not to be shown. Has no `Debug`, so that nothing that holds it can show it.
#[derive(Default)]
pub(crate) struct Secrets {
    /// The longest first: one may be a part of another.
    secrets: Vec<String>,
}

/// A key is empty, or not made of visible ASCII characters alone.
pub(crate) struct BadKey;

impl Secrets {
    /// Hides a key.
    pub(crate) fn of_key(key: &str) -> Result<Self, BadKey> {
        // A header would take more, but a blank, a line break or an `ü` is a slip in copying.
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadKey);
        }
        Ok(Self::default().hiding([key.to_owned()]))
    }

    /// The beginning of a text that came from the server, fit for an error: on one line, and without
    /// the secrets, which servers like to repeat.
    pub(crate) fn quote(&self, text: &str) -> String {
        let start = self.start_without_secrets(text);
        let shown = first_chars(&start, QUOTED);
        let mut quoted = shown.trim().replace(char::is_control, " ");
        if shown.len() < start.len() {
            quoted.push('…');
        }
        quoted
    }

    // Replaces before it cuts: a secret across the cut would no longer be found. Each step adds a
    // character or more, so these are enough steps to see whether there is something to cut.
    fn start_without_secrets(&self, text: &str) -> String {
        let (mut start, mut rest) = (String::new(), text);
        for _ in 0..=QUOTED {
            let mut secrets = self.secrets.iter();
            if let Some(after) = secrets.find_map(|secret| rest.strip_prefix(secret.as_str())) {
                start.push_str("[secret]");
                rest = after;
            } else {
                let mut chars = rest.chars();
                start.extend(chars.next());
                rest = chars.as_str();
            }
        }
        start
    }

    /// Hides these too.
    pub(crate) fn hiding(mut self, secrets: impl IntoIterator<Item = String>) -> Self {
        self.secrets.extend(secrets.into_iter().filter(|secret| secret.len() >= HIDDEN));
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self
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
        let secrets = Secrets::default().hiding(["sk-secret".to_owned()]);
        assert_eq!(secrets.quote(" no\nsk-secret! "), "no [secret]!");
        for before in 285..305 {
            let text = "é".repeat(before) + "sk-secret" + &"z".repeat(400);
            let quoted = secrets.quote(&text);
            assert!(!quoted.contains("sk"), "{quoted}");
            assert!(quoted.chars().count() <= QUOTED + 1 && quoted.ends_with('…'));
        }
        let quoted = secrets.quote(&"sk-secret ".repeat(1000));
        assert!(quoted.starts_with("[secret] [secret]") && !quoted.contains("sk"), "{quoted}");
        assert_eq!(Secrets::default().quote(&"a".repeat(300)), "a".repeat(300));
    }

    #[test]
    fn keys_that_no_header_can_hold_are_refused() {
        for key in ["", " ", "sk-a\nb", "sk-ü", "sk-a "] {
            assert!(Secrets::of_key(key).is_err(), "{key:?}");
        }
        assert!(Secrets::of_key("sk-a").is_ok());
    }
}
