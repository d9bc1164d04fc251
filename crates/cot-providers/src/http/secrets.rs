//! The secrets of a connection, and their redaction in errors.

use std::collections::BTreeSet;

/// The limit on the characters of a server's text in an error.
const QUOTED: usize = 300;

/// The length from which a secret is redacted. Shorter ones occur in ordinary text.
const HIDDEN: usize = 4;

/// The texts that must be redacted. Has no `Debug`, so that types that contain it can't print it.
#[derive(Default)]
pub(crate) struct Secrets {
    /// Longest first, since one may be a part of another.
    secrets: Vec<String>,
}

/// The error for a key that is empty or contains characters other than visible ASCII.
pub(crate) struct InvalidKeyError;

impl Secrets {
    /// Creates the secrets of a key.
    pub(crate) fn from_key(key: &str) -> Result<Self, InvalidKeyError> {
        // Headers allow more characters, but a blank, a line break or an `ü` is a copying mistake.
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(InvalidKeyError);
        }
        Ok(Self::default().hide([key.to_owned()]))
    }

    /// Quotes the start of a server's text for an error: on one line, and with secrets redacted.
    pub(crate) fn quote(&self, text: &str) -> String {
        let start = self.start_without_secrets(text);
        let shown = first_chars(&start, QUOTED);
        let mut quoted = shown.trim().replace(char::is_control, " ");
        if shown.len() < start.len() {
            quoted.push('…');
        }
        quoted
    }

    // Redacts before truncating, since a secret across the cut would not be found. Each step appends at
    // least one character, so this many steps show whether the text must be truncated.
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

    /// Adds secrets to redact.
    pub(crate) fn hide(mut self, secrets: impl IntoIterator<Item = String>) -> Self {
        let secrets = secrets.into_iter().filter(|secret| secret.len() >= HIDDEN);
        self.secrets.extend(secrets.flat_map(|secret| encodings(&secret)));
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self
    }
}

/// Returns the encodings of a secret in responses: plain, JSON, percent-encoded and base64.
fn encodings(secret: &str) -> BTreeSet<String> {
    let json = |escape: fn(char) -> String| secret.chars().map(escape).collect::<String>();
    let slashed = json(|c| if c == '/' { "\\/".to_owned() } else { c.into() });
    let units = |c: char| {
        if c.is_ascii_alphanumeric() { c.into() } else { format!("\\u{:04x}", u32::from(c)) }
    };
    let upper = |c: char| {
        if c.is_ascii_alphanumeric() { c.into() } else { format!("\\u{:04X}", u32::from(c)) }
    };
    let quoted = serde_json::Value::from(secret).to_string();
    let inside = quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned();
    let in_json = [slashed, json(units), json(upper), inside.replace('/', "\\/"), inside];
    let in_addresses = ["", "-._~", "-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@/"]
        .into_iter()
        .flat_map(|kept| [percent_encode(secret, kept, false), percent_encode(secret, kept, true)]);
    let all = [secret.to_owned()].into_iter().chain(in_json).chain(in_addresses);
    all.chain(base64(secret.as_bytes())).filter(|text| text.len() >= HIDDEN).collect()
}

/// Percent-encodes a text except letters, digits and `kept`.
fn percent_encode(text: &str, kept: &str, is_lower: bool) -> String {
    let coded = |byte: u8| match char::from(byte) {
        c if c.is_ascii_alphanumeric() || kept.contains(c) => c.to_string(),
        _ if is_lower => format!("%{byte:02x}"),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(coded).collect()
}

/// Returns the base64 characters that a text determines at each of the three alignments, in both
/// alphabets.
fn base64(text: &[u8]) -> Vec<String> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let spelled = (0..3_usize).map(|before| {
        let bits: Vec<bool> = text
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1))
            .collect();
        // The bits of the first character also depend on the preceding text.
        let skipped = (6 - before * 8 % 6) % 6;
        let sixes = bits.get(skipped..).unwrap_or_default().chunks_exact(6);
        let letter =
            |six: &[bool]| six.iter().fold(0_usize, |sum, bit| sum * 2 + usize::from(*bit));
        sixes
            .filter_map(|six| LETTERS.get(letter(six)).copied().map(char::from))
            .collect::<String>()
    });
    let spelled = spelled.filter(|text| text.len() >= 2 * HIDDEN);
    spelled
        .flat_map(|text| [text.replace('+', "-").replace('/', "_"), text.replace('/', "\\/"), text])
        .collect()
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
        let secrets = Secrets::default().hide(["sk-secret".to_owned()]);
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
    fn a_key_is_hidden_in_every_spelling() {
        let key = "sk/a+b=c\"d-0123456789";
        let secrets = Secrets::from_key(key).ok().unwrap_or_default();
        for spelled in [
            r#"sk\/a+b=c\"d-0123456789"#,
            r#"sk\/a+b=c"d-0123456789"#,
            r"sk\u002fa\u002bb\u003dc\u0022d\u002d0123456789",
            r"sk\u002Fa\u002Bb\u003Dc\u0022d\u002D0123456789",
            "sk%2Fa%2Bb%3Dc%22d-0123456789",
            "sk%2fa%2bb%3dc%22d-0123456789",
            "sk/a+b=c%22d-0123456789",
        ] {
            assert_eq!(secrets.quote(&format!("<{spelled}>")), "<[secret]>");
        }
        // `key`, `:key` and `me:key`, as they are and within basic authentication.
        for coded in [
            "c2svYStiPWMiZC0wMTIzNDU2Nzg5",
            "OnNrL2ErYj1jImQtMDEyMzQ1Njc4OQ==",
            "bWU6c2svYStiPWMiZC0wMTIzNDU2Nzg5",
            "YTpzay9hK2I9YyJkLTAxMjM0NTY3ODk=",
        ] {
            let quoted = secrets.quote(&format!("Basic {coded}!"));
            assert!(quoted.contains("[secret]") && quoted.len() < 25, "{quoted}");
        }
    }

    #[test]
    fn keys_that_no_header_can_hold_are_refused() {
        for key in ["", " ", "sk-a\nb", "sk-ü", "sk-a "] {
            assert!(Secrets::from_key(key).is_err(), "{key:?}");
        }
        assert!(Secrets::from_key("sk-a").is_ok());
    }
}
