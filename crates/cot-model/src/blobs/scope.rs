//! Scopes in which the bytes of images and documents are stored apart from the JSON that refers to them.

use std::{cell::RefCell, thread::LocalKey};

use crate::blobs::{blob::Blob, digest::Digest, set::BlobSet};

/// The open scopes of a thread, the innermost last.
type Scopes = RefCell<Vec<BlobSet>>;

thread_local! {
    static COLLECTED: Scopes = const { RefCell::new(Vec::new()) };
    static AVAILABLE: Scopes = const { RefCell::new(Vec::new()) };
}

/// Calls a function that serializes. Images and documents in it are serialized as references to blobs, and
/// sets of blobs as their digests. Returns the blobs, each of them once.
///
/// In nested scopes, the innermost one collects the blobs. A scope ends with its function, even by a panic.
pub fn collect_blobs<T>(serialize: impl FnOnce() -> T) -> (T, BlobSet) {
    let _scope = Scope::open(&COLLECTED, BlobSet::default());
    let value = serialize();
    let blobs = COLLECTED.with_borrow_mut(|scopes| scopes.last_mut().map(std::mem::take));
    (value, blobs.unwrap_or_default())
}

/// Calls a function that deserializes. References to blobs are resolved with these blobs, and in nested
/// scopes also with those of the outer ones.
///
/// A scope ends with its function, even by a panic.
pub fn with_blobs<T>(blobs: &BlobSet, deserialize: impl FnOnce() -> T) -> T {
    let _scope = Scope::open(&AVAILABLE, blobs.clone());
    deserialize()
}

/// Adds a blob to the innermost scope. Returns whether there is one.
pub(crate) fn collect(blob: &Blob) -> bool {
    COLLECTED.with_borrow_mut(|scopes| match scopes.last_mut() {
        Some(scope) => {
            scope.insert(blob.clone());
            true
        }
        None => false,
    })
}

/// Finds a blob in the open scopes.
pub(crate) fn find(digest: Digest) -> Option<Blob> {
    AVAILABLE.with_borrow(|scopes| scopes.iter().rev().find_map(|blobs| blobs.get(digest)).cloned())
}

/// Closes a scope when it is dropped.
struct Scope {
    scopes: &'static LocalKey<Scopes>,
}

impl Scope {
    fn open(scopes: &'static LocalKey<Scopes>, blobs: BlobSet) -> Self {
        scopes.with_borrow_mut(|scopes| scopes.push(blobs));
        Self { scopes }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        drop(self.scopes.with_borrow_mut(Vec::pop));
    }
}
