//! Addresses of media: `http:`, `https:` and `data:`.

use std::borrow::Cow;

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use cot_schema::internal::truncate;

use crate::{
    blobs::digest::Digest,
    media::error::{MediaError, UrlProblem},
};

/// The maximum length of an `http:` or `https:` address in bytes, which is that of common servers.
pub(crate) const MAX_URL_BYTES: usize = 8192;

/// The limit on the part of an address that messages and placeholders show, in bytes.
const MAX_SHOWN_BYTES: usize = 200;

/// Padding is optional, as in browsers.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Checks an `http:` or `https:` address. Returns the ending of the file name in it, empty if it has none.
pub(super) fn check_url(url: &str) -> Result<&str, MediaError> {
    let invalid = |problem| MediaError::InvalidUrl { url: before_query(url).to_owned(), problem };
    if url.len() > MAX_URL_BYTES {
        return Err(invalid(UrlProblem::TooLong { max: MAX_URL_BYTES }));
    }
    let after = |scheme: &str| {
        let (start, rest) = url.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    };
    let rest = after("https://").or_else(|| after("http://"));
    let rest = rest.ok_or_else(|| invalid(UrlProblem::Scheme))?;
    if rest.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(invalid(UrlProblem::Character));
    }
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    if authority.contains('@') {
        // The address is not shown, since a password may be in it.
        return Err(MediaError::InvalidUrl {
            url: String::new(),
            problem: UrlProblem::Credentials,
        });
    }
    if authority.is_empty() || authority.starts_with(':') {
        return Err(invalid(UrlProblem::Host));
    }
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    Ok(file.rsplit_once('.').map_or("", |(_, ending)| ending))
}

/// Returns an address as placeholders show it: without its query and fragment, which may grant access, and
/// not longer than 200 bytes. A digest of the address then tells it apart.
pub(super) fn shown_url(url: &str) -> Cow<'_, str> {
    let shown = before_query(url);
    if shown.len() == url.len() {
        return Cow::Borrowed(url);
    }
    Cow::Owned(format!("{shown}… {}", Digest::from_bytes(url.as_bytes()).short()))
}

fn before_query(url: &str) -> &str {
    let shown = url.split(['?', '#']).next().unwrap_or_default();
    truncate(shown, MAX_SHOWN_BYTES)
}

/// Decodes a `data:` address into its media type and bytes; `None` for another address.
pub(super) fn decode_data_url(url: &str) -> Result<Option<(&str, Vec<u8>)>, MediaError> {
    let Some((scheme, rest)) = url.split_at_checked(DATA.len()) else { return Ok(None) };
    if !scheme.eq_ignore_ascii_case(DATA) {
        return Ok(None);
    }
    let (header, data) = rest.split_once(',').ok_or_else(|| invalid(UrlProblem::NoData))?;
    let (media_type, is_base64) = match header.rsplit_once(';') {
        Some((media_type, last)) if last.trim().eq_ignore_ascii_case("base64") => {
            (media_type, true)
        }
        _ => (header, false),
    };
    if media_type.split(';').next().unwrap_or_default().trim().is_empty() {
        return Err(invalid(UrlProblem::NoMediaType));
    }
    let data = percent_decode(data)?;
    if !is_base64 {
        return Ok(Some((media_type, data.into_owned())));
    }
    let bytes = BASE64.decode(data).map_err(|_| MediaError::NotBase64)?;
    Ok(Some((media_type, bytes)))
}

const DATA: &str = "data:";

fn percent_decode(text: &str) -> Result<Cow<'_, [u8]>, MediaError> {
    let mut pieces = text.split('%');
    let first = pieces.next().unwrap_or_default();
    if first.len() == text.len() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let mut bytes = first.as_bytes().to_vec();
    for piece in pieces {
        let decoded = piece.split_at_checked(2).and_then(|(digits, rest)| {
            let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let byte = u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
            Some((byte, rest))
        });
        let (byte, rest) = decoded.ok_or_else(|| invalid(UrlProblem::PercentEncoding))?;
        bytes.push(byte);
        bytes.extend_from_slice(rest.as_bytes());
    }
    Ok(Cow::Owned(bytes))
}

const fn invalid(problem: UrlProblem) -> MediaError {
    MediaError::InvalidUrl { url: String::new(), problem }
}
