//! A set of blobs. The bytes of some may be elsewhere.

use std::collections::{BTreeMap, btree_map::Entry};

use crate::blobs::{blob::Blob, digest::Digest};

/// A set of blobs. For some, it may hold the digest without the bytes.
///
/// It serializes as a map from digests to bytes in base64, or to `null` for a blob that is known by its digest
/// only.
///
/// ```
/// use cot_core::model::{Blob, BlobSet};
///
/// let hello = Blob::new(*b"hello");
/// let blobs = BlobSet::from_iter([hello.clone()]);
/// assert_eq!(blobs.get(hello.digest()).map(Blob::bytes), Some(b"hello".as_slice()));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlobSet(pub(super) BTreeMap<Digest, Option<Blob>>);

impl BlobSet {
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Adds a blob.
    pub fn insert(&mut self, blob: Blob) {
        self.0.insert(blob.digest(), Some(blob));
    }

    /// Adds all blobs of another set.
    pub fn merge(&mut self, other: Self) {
        for (digest, blob) in other.0 {
            match self.0.entry(digest) {
                Entry::Vacant(entry) => drop(entry.insert(blob)),
                Entry::Occupied(mut entry) => {
                    if let Some(blob) = blob {
                        entry.insert(Some(blob));
                    }
                }
            }
        }
    }

    /// Returns a blob; `None` if it is not in the set, or known by its digest only.
    #[must_use]
    pub fn get(&self, digest: Digest) -> Option<&Blob> {
        self.0.get(&digest)?.as_ref()
    }

    /// Returns whether the set contains neither blobs nor digests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the blobs.
    pub fn iter(&self) -> impl Iterator<Item = &Blob> {
        self.0.values().flatten()
    }

    /// Returns the digests of the blobs whose bytes the set does not hold.
    pub fn missing(&self) -> impl Iterator<Item = Digest> {
        self.0.iter().filter(|(_, blob)| blob.is_none()).map(|(digest, _)| *digest)
    }
}

impl FromIterator<Blob> for BlobSet {
    fn from_iter<I: IntoIterator<Item = Blob>>(blobs: I) -> Self {
        Self(blobs.into_iter().map(|blob| (blob.digest(), Some(blob))).collect())
    }
}
