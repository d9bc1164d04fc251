//! Values that no message contains.

use std::fmt;

/// Texts that are removed from messages: values of headers and environment variables, and the secret parts of
/// URLs.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

/// The text that replaces a secret.
const SHOWN: &str = "[secret]";
/// Shorter values, such as `1` or `true`, are not replaced: they occur in every text.
const MIN_BYTES: usize = 5;

impl Secrets {
    /// Adds a value, and its parts: a server may repeat a token without the scheme before it.
    pub(crate) fn add(&mut self, value: &str) {
        let parts = value.split_ascii_whitespace();
        let values = std::iter::once(value).chain(parts);
        for value in values.filter(|value| value.len() >= MIN_BYTES && *value != "Bearer") {
            if !self.0.iter().any(|known| known == value) {
                self.0.push(value.to_owned());
            }
        }
        // The longest first: another one may be a part of it.
        self.0.sort_by_key(|value| std::cmp::Reverse(value.len()));
    }

    /// Returns a text without the secrets.
    pub(crate) fn hide(&self, text: impl Into<String>) -> String {
        let hide = |text: String, secret: &String| match text.contains(secret.as_str()) {
            true => text.replace(secret.as_str(), SHOWN),
            false => text,
        };
        self.0.iter().fold(text.into(), hide)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SHOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_replaced_whole_and_in_parts() {
        let mut secrets = Secrets::default();
        secrets.add("hunter2");
        secrets.add("Bearer hunter2-and-more");
        secrets.add("1");
        assert_eq!(
            secrets.hide("hunter2-and-more, Bearer hunter2-and-more, hunter2, 1"),
            "[secret], [secret], [secret], 1"
        );
        assert_eq!(format!("{secrets:?}"), "[secret]");
    }
}
