//! Scopes in which the bytes of images and documents are stored apart from the JSON that refers to them.

use std::{
    cell::{Cell, RefCell},
    mem,
};

use crate::blobs::{blob::Blob, digest::Digest, set::BlobSet};

/// What a blob serializes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Its bytes.
    Bytes,
    /// A reference. Its bytes are not kept.
    Reference,
    /// A reference. The innermost scope collects the blob.
    Collected,
}

thread_local! {
    static FORM: Cell<Form> = const { Cell::new(Form::Bytes) };
    /// The blobs of the innermost scope that collects.
    static COLLECTED: RefCell<BlobSet> = const { RefCell::new(BlobSet::new()) };
    /// The sets of the open scopes that resolve references, the innermost last.
    static AVAILABLE: RefCell<Vec<BlobSet>> = const { RefCell::new(Vec::new()) };
}

/// Calls a function that serializes. Images and documents in it are serialized as references to blobs, and
/// sets of blobs as their digests. Returns the blobs, each of them once.
///
/// In nested scopes, the innermost one collects the blobs. A scope ends with its function, even by a panic.
pub fn collect_blobs<T>(serialize: impl FnOnce() -> T) -> (T, BlobSet) {
    let _form = FormScope::open(Form::Collected);
    let _outer = OuterBlobs(COLLECTED.take());
    let value = serialize();
    (value, COLLECTED.take())
}

/// Like [`collect_blobs`], for a text in which the references are enough: the blobs are not returned.
pub fn refer_to_blobs<T>(serialize: impl FnOnce() -> T) -> T {
    let _form = FormScope::open(Form::Reference);
    serialize()
}

/// Calls a function that deserializes. References to blobs are resolved with these blobs, and in nested
/// scopes also with those of the outer ones.
///
/// A scope ends with its function, even by a panic.
pub fn with_blobs<T>(blobs: &BlobSet, deserialize: impl FnOnce() -> T) -> T {
    let _scope = AvailableScope::open(blobs);
    deserialize()
}

/// Adds a blob to the innermost scope. Returns whether there is one.
pub(crate) fn collect(blob: &Blob) -> bool {
    let form = FORM.get();
    if form == Form::Collected {
        COLLECTED.with_borrow_mut(|blobs| blobs.insert(blob.clone()));
    }
    form != Form::Bytes
}

/// Finds a blob in the open scopes.
pub(crate) fn find(digest: Digest) -> Option<Blob> {
    AVAILABLE.with_borrow(|scopes| scopes.iter().rev().find_map(|blobs| blobs.get(digest)).cloned())
}

/// Restores the form of the outer scope when it is dropped.
struct FormScope {
    outer: Form,
}

impl FormScope {
    fn open(form: Form) -> Self {
        Self { outer: FORM.replace(form) }
    }
}

impl Drop for FormScope {
    fn drop(&mut self) {
        FORM.set(self.outer);
    }
}

/// The blobs of the outer scope, restored when it is dropped.
struct OuterBlobs(BlobSet);

impl Drop for OuterBlobs {
    fn drop(&mut self) {
        COLLECTED.set(mem::take(&mut self.0));
    }
}

/// Removes the innermost set of blobs when it is dropped.
struct AvailableScope;

impl AvailableScope {
    fn open(blobs: &BlobSet) -> Self {
        AVAILABLE.with_borrow_mut(|scopes| scopes.push(blobs.clone()));
        Self
    }
}

impl Drop for AvailableScope {
    fn drop(&mut self) {
        drop(AVAILABLE.with_borrow_mut(Vec::pop));
    }
}
