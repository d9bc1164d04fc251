//! The digest that names a blob.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::{Digest as _, Sha256};

/// The SHA-256 digest of the bytes of an image or a document.
///
/// It is displayed, parsed and serialized as `sha256:` followed by 64 hexadecimal digits in lower case.
///
/// ```
/// use cot_core::model::Digest;
///
/// let digest = Digest::from_bytes(b"abc");
/// assert!(digest.to_string().starts_with("sha256:ba7816bf8f01"));
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

/// The name of the algorithm in front of the digits.
const PREFIX: &str = "sha256:";

/// The number of digits that placeholders show.
const SHORT_DIGITS: usize = 12;

impl Digest {
    /// Computes the digest of bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the 32 bytes of the digest.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the 64 hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the first 12 hexadecimal digits, which tell apart the images and documents of a prompt.
    #[must_use]
    pub fn short(self) -> String {
        let mut digits = self.to_hex();
        digits.truncate(SHORT_DIGITS);
        digits
    }
}

/// Computes the digests of the first bytes and of all of them, in one pass. A `beginning` past the end stands for
/// the end.
#[must_use]
pub fn digests_of_growing(bytes: &[u8], beginning: usize) -> [Digest; 2] {
    let (beginning, rest) = bytes.split_at(beginning.min(bytes.len()));
    let beginning = Sha256::new_with_prefix(beginning);
    let whole = beginning.clone().chain_update(rest);
    [beginning, whole].map(|hash| Digest(hash.finalize().into()))
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// The error of parsing a [`Digest`] from a text of another form.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseDigestError;

cot_schema::debug_as_sentence!(ParseDigestError);

impl fmt::Display for ParseDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a digest is `{PREFIX}` and 64 hexadecimal digits in lower case")
    }
}

impl std::error::Error for ParseDigestError {}

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        let (pairs, rest) =
            text.strip_prefix(PREFIX).ok_or(ParseDigestError)?.as_bytes().as_chunks::<2>();
        let mut bytes = [0; 32];
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return Err(ParseDigestError);
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte =
                digit(*high).ok_or(ParseDigestError)? << 4 | digit(*low).ok_or(ParseDigestError)?;
        }
        Ok(Self(bytes))
    }
}

const fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
