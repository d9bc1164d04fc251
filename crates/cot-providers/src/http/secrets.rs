//! What is secret about talking to a server, and the guard that no error repeats it.

use std::collections::BTreeSet;

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
        let secrets = secrets.into_iter().filter(|secret| secret.len() >= HIDDEN);
        self.secrets.extend(secrets.flat_map(|secret| spellings(&secret)));
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self
    }
}

/// A secret as servers write it: as it is, in JSON, in an address, and in base64.
fn spellings(secret: &str) -> BTreeSet<String> {
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
        .flat_map(|kept| [percent(secret, kept, false), percent(secret, kept, true)]);
    let all = [secret.to_owned()].into_iter().chain(in_json).chain(in_addresses);
    all.chain(base64(secret.as_bytes())).filter(|text| text.len() >= HIDDEN).collect()
}

/// A text with all but letters, digits and what is kept as `%2F` or `%2f`.
fn percent(text: &str, kept: &str, is_lower: bool) -> String {
    let coded = |byte: u8| match char::from(byte) {
        c if c.is_ascii_alphanumeric() || kept.contains(c) => c.to_string(),
        _ if is_lower => format!("%{byte:02x}"),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(coded).collect()
}

/// The characters of base64 that a text determines alone, wherever in a longer one it stands, and in both
/// alphabets.
fn base64(text: &[u8]) -> Vec<String> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let spelled = (0..3_usize).map(|before| {
        let bits: Vec<bool> = text
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1))
            .collect();
        // The bits of the first character belong to what stands before, too.
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
    fn a_key_is_hidden_in_every_spelling() {
        let key = "sk/a+b=c\"d-0123456789";
        let secrets = Secrets::of_key(key).ok().unwrap_or_default();
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
            assert!(Secrets::of_key(key).is_err(), "{key:?}");
        }
        assert!(Secrets::of_key("sk-a").is_ok());
    }
}
