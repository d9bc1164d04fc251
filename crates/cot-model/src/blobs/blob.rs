//! The bytes of an image or a document, with their digest.

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use crate::blobs::digest::Digest;

/// The bytes of an image or a document, with the digest that names them. Clones share the bytes.
///
/// Blobs are equal if their digests are. A store keeps each blob once, however many entries refer to it.
#[derive(Clone)]
pub struct Blob {
    digest: Digest,
    bytes: Arc<[u8]>,
}

/// The error for bytes that do not have the expected digest: they were changed after they were stored.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DigestMismatchError {
    /// The digest by which the bytes were stored.
    pub expected: Digest,
    /// The digest of the bytes.
    pub found: Digest,
}

cot_schema::debug_as_sentence!(DigestMismatchError);

impl Blob {
    /// Creates a blob and computes its digest.
    #[must_use]
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self { digest: Digest::from_bytes(&bytes), bytes }
    }

    /// Creates a blob from bytes that were stored by their digest.
    ///
    /// # Errors
    ///
    /// If the bytes have another digest.
    pub fn from_stored(
        expected: Digest,
        bytes: impl Into<Arc<[u8]>>,
    ) -> Result<Self, DigestMismatchError> {
        let blob = Self::new(bytes);
        let found = blob.digest;
        if found == expected { Ok(blob) } else { Err(DigestMismatchError { expected, found }) }
    }

    /// Returns the digest of the bytes.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({}, {} bytes)", self.digest, self.bytes.len())
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Blob {}

impl Hash for Blob {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl fmt::Display for DigestMismatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, found } = self;
        write!(f, "the blob `{expected}` was changed after it was stored: its digest is `{found}`")
    }
}

impl std::error::Error for DigestMismatchError {}
