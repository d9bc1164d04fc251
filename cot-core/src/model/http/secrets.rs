//! What is secret about a server's address and key, and the guard that no error repeats it.

use reqwest::{Client, Url, header::AUTHORIZATION};

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

    /// Hides what the URL may hold of secrets too, and what the client makes of them.
    pub(crate) fn with_endpoint(self, endpoint: &Url, http: &Client) -> Self {
        let raw = user_secret(endpoint).into_iter().chain(query_secrets(endpoint));
        let secrets: Vec<_> = raw.flat_map(spellings).chain(basic(endpoint, http)).collect();
        self.hiding(secrets)
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

    fn hiding(mut self, secrets: impl IntoIterator<Item = String>) -> Self {
        self.secrets.extend(secrets.into_iter().filter(|secret| secret.len() >= HIDDEN));
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self
    }
}

fn first_chars(text: &str, count: usize) -> &str {
    let end = text.char_indices().nth(count).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default()
}

// A user without a password is a token.
fn user_secret(url: &Url) -> Option<&str> {
    let user = Some(url.username()).filter(|user| !user.is_empty());
    url.password().or(user)
}

// Likewise a name without a value.
fn query_secrets(url: &Url) -> impl Iterator<Item = &str> {
    let pairs = url.query().unwrap_or_default().split('&');
    pairs.map(|pair| match pair.split_once('=') {
        Some((_, value)) if !value.is_empty() => value,
        Some((name, _)) => name,
        None => pair,
    })
}

// The client turns the user and the password into a header, which a server may repeat as well.
fn basic(endpoint: &Url, http: &Client) -> Option<String> {
    let request = http.post(endpoint.clone()).build().ok()?;
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    Some(header.trim_start_matches("Basic ").to_owned())
}

/// A part of a URL as it stands there, decoded, and decoded as from a form.
fn spellings(raw: &str) -> [String; 3] {
    [raw.to_owned(), decoded(raw), decoded(&raw.replace('+', " "))]
}

fn decoded(raw: &str) -> String {
    let mut pieces = raw.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let coded = piece.split_at_checked(2);
        let byte = coded.and_then(|(digits, _)| u8::from_str_radix(digits, 16).ok());
        match coded.zip(byte) {
            Some(((_, after), byte)) => bytes.extend([&[byte], after.as_bytes()].concat()),
            None => bytes.extend([b"%", piece.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
    fn secrets_of_a_url_are_hidden_as_written_and_decoded() {
        let url =
            Url::parse("http://me:p%2Bss+w@h/?k=a%C3%BC+%zz&v=2&key=p%2Bss+word&LONE").unwrap();
        // Without certificates, as the machine may have none.
        let http = Client::builder().tls_certs_only([]).build().unwrap();
        let secrets = Secrets::default().with_endpoint(&url, &http);
        for (text, quoted) in [
            ("me p%2Bss+w p+ss+w, v=2", "me [secret] [secret], v=2"),
            ("p+ss word p+ss+word", "[secret] [secret]"),
            ("aü %zz aü+%zz a%C3%BC+%zz LONE", "[secret] [secret] [secret] [secret]"),
        ] {
            assert_eq!(secrets.quote(text), quoted);
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
