//! The hashes that chain the entries of a journal.

use std::fmt;

use cot_model::PromptSegments;
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

/// What an entry says, hashed. It does not depend on other entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes the time, the texts and the prompt of an entry, as they are stored.
    #[must_use]
    pub fn new(at: i64, texts: &[Option<&str>], prompt: Option<&PromptSegments>) -> Self {
        let mut hash = Sha256::new();
        hash.update(at.to_be_bytes());
        texts.iter().for_each(|text| add(&mut hash, *text));
        for segment in prompt.into_iter().flatten() {
            add(&mut hash, Some(segment.part.as_str()));
            add(&mut hash, Some(segment.stability.as_str()));
            add(&mut hash, Some(&segment.text));
        }
        Self(hash.finalize().into())
    }

    /// Returns the hash of the entry that says this, after another entry; `None` for the first one.
    #[must_use]
    pub fn after(self, previous: Option<EntryHash>) -> EntryHash {
        let mut hash = Sha256::new();
        hash.update(previous.map_or([0; 32], |previous| previous.0));
        hash.update(self.0);
        EntryHash(hash.finalize().into())
    }
}

/// Adds a text with its length, so that no two lists of texts are the same to the hash.
fn add(hash: &mut Sha256, text: Option<&str>) {
    let length = text.map_or(u64::MAX, |text| text.len() as u64);
    hash.update(length.to_be_bytes());
    hash.update(text.unwrap_or_default());
}
