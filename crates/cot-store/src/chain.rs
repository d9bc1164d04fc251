//! The hashes that chain the entries of a journal.

use std::fmt;

use cot_model::{Digest, PartName, Segment, Stability};
use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// The hash of an entry: SHA-256 of the hash of the entry before it, and of what the entry says.
///
/// So the hash of an entry stands for all of the journal up to it: with a copy of it that is kept elsewhere, an entry
/// that was changed, added or removed since is noticed. It is displayed as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntryHash([u8; 32]);

impl EntryHash {
    /// Creates a hash from its bytes, as a store has kept them; `None` if there are not 32.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// Returns the bytes of the hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for EntryHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for EntryHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Debug for EntryHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntryHash({self})")
    }
}

/// What an entry says besides its prompt, hashed. It does not depend on other entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes the time and the texts of an entry, as they are stored.
    #[must_use]
    pub fn new(at: i64, texts: &[Option<&str>]) -> Self {
        let mut hash = Sha256::new_with_prefix(at.to_be_bytes());
        texts.iter().for_each(|text| add(&mut hash, *text));
        Self(hash.finalize().into())
    }

    /// Returns the hash of the entry that says this, with the texts of this prompt, after another entry; `None` for
    /// the first one.
    #[must_use]
    pub fn after(self, previous: Option<EntryHash>, prompt: &[TextDigest]) -> EntryHash {
        let mut hash = Sha256::new_with_prefix(previous.map_or([0; 32], |previous| previous.0));
        hash.update(self.0);
        for TextDigest { part, stability, digest } in prompt {
            add(&mut hash, Some(part.as_str()));
            add(&mut hash, Some(stability.as_str()));
            hash.update(digest.as_bytes());
        }
        EntryHash(hash.finalize().into())
    }
}

/// The digest of a text of a prompt. An entry is hashed with these in place of the texts, so that a text that many
/// prompts contain is hashed once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextDigest {
    /// The part of the prompt that the text belongs to.
    pub part: PartName,
    /// How the text changes from prompt to prompt.
    pub stability: Stability,
    /// The digest of the text.
    pub digest: Digest,
}

impl TextDigest {
    /// Computes the digest of a text.
    #[must_use]
    pub fn new(Segment { part, stability, text }: &Segment) -> Self {
        let digest = Digest::from_bytes(text.as_bytes());
        Self { part: *part, stability: *stability, digest }
    }
}

/// Adds a text with its length, so that no two lists of texts are the same to the hash.
fn add(hash: &mut Sha256, text: Option<&str>) {
    let length = text.map_or(u64::MAX, |text| text.len() as u64);
    hash.update(length.to_be_bytes());
    hash.update(text.unwrap_or_default());
}
