//! The header with the key, and the secrets of the key and the address.

use reqwest::{
    Client, Url,
    header::{AUTHORIZATION, HeaderName, HeaderValue},
};

use super::{error::ClientBuildError, protocol::Protocol};
use crate::http::Secrets;

/// The header with the key and the secrets to redact. Has no `Debug`, so that types that contain it
/// can't print it.
pub(super) struct Credentials {
    header: Option<(HeaderName, HeaderValue)>,
    secrets: Secrets,
}

impl Credentials {
    pub(super) fn none() -> Self {
        Self { header: None, secrets: Secrets::default() }
    }

    pub(super) fn from_key<P: Protocol>(key: String) -> Result<Self, ClientBuildError> {
        let secrets = Secrets::from_key(&key).map_err(|_| ClientBuildError::Key)?;
        let (name, value) = P::key_header(&key);
        let mut value = HeaderValue::from_str(&value).map_err(|_| ClientBuildError::Key)?;
        value.set_sensitive(true);
        Ok(Self { header: Some((name, value)), secrets })
    }

    /// Adds the secrets of the URL, and the header that the HTTP client derives from it.
    pub(super) fn with_endpoint(self, endpoint: &Url, http: &Client) -> Self {
        let raw = user_secret(endpoint).into_iter().chain(query_secrets(endpoint));
        let secrets: Vec<_> = raw.flat_map(decodings).chain(basic_auth(endpoint, http)).collect();
        Self { secrets: self.secrets.hide(secrets), ..self }
    }

    pub(super) fn header(&self) -> Option<(&HeaderName, &HeaderValue)> {
        self.header.as_ref().map(|(name, value)| (name, value))
    }

    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}

// A user without a password is a token.
fn user_secret(url: &Url) -> Option<&str> {
    let user = Some(url.username()).filter(|user| !user.is_empty());
    url.password().or(user)
}

// A parameter without a value may be a token too.
fn query_secrets(url: &Url) -> impl Iterator<Item = &str> {
    let pairs = url.query().unwrap_or_default().split('&');
    pairs.map(|pair| match pair.split_once('=') {
        Some((_, value)) if !value.is_empty() => value,
        Some((name, _)) => name,
        None => pair,
    })
}

// The client converts the user and the password to a header, which a server may repeat.
fn basic_auth(endpoint: &Url, http: &Client) -> Option<String> {
    let request = http.post(endpoint.clone()).build().ok()?;
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    Some(header.trim_start_matches("Basic ").to_owned())
}

/// Returns a part of a URL unchanged, percent-decoded, and form-decoded.
fn decodings(raw: &str) -> [String; 3] {
    [raw.to_owned(), percent_decode(raw), percent_decode(&raw.replace('+', " "))]
}

fn percent_decode(raw: &str) -> String {
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
    fn secrets_of_a_url_are_hidden_as_written_and_percent_decode() {
        let url =
            Url::parse("http://me:p%2Bss+w@h/?k=a%C3%BC+%zz&v=2&key=p%2Bss+word&LONE").unwrap();
        let http = crate::tls::client_builder(&url).unwrap().build().unwrap();
        let credentials = Credentials::none().with_endpoint(&url, &http);
        for (text, quoted) in [
            ("me p%2Bss+w p+ss+w, v=2", "me [secret] [secret], v=2"),
            ("p+ss word p+ss+word", "[secret] [secret]"),
            ("aü %zz aü+%zz a%C3%BC+%zz LONE", "[secret] [secret] [secret] [secret]"),
        ] {
            assert_eq!(credentials.secrets().quote(text), quoted);
        }
    }
}
