//! An item that was read, and what is known of those that could not be.

use syn::{Attribute, Ident};

/// An item: its key, kept for its span, and its value.
#[derive(Debug)]
pub struct Item<T> {
    /// The key as written.
    pub key: Ident,
    /// What follows the key.
    pub value: T,
}

/// The place of an item that may stand once.
pub type Slot<T> = Option<Item<T>>;

/// What has been read of an item before its value.
pub(crate) struct ItemHead {
    /// The doc comments before the key.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) key: Ident,
}

/// The items that have mistakes; `None` is one that resembles no key.
#[derive(Debug, Default)]
pub struct InvalidItems(Vec<Option<&'static str>>);

impl InvalidItems {
    /// The items of something of which any item may be missing.
    pub(crate) fn all() -> Self {
        Self(vec![None])
    }

    pub(crate) fn push(&mut self, key: Option<&'static str>) {
        self.0.push(key);
    }

    /// Returns whether all items could be read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether one of these items has a mistake, or may have been meant by one.
    pub fn any(&self, keys: &[&str]) -> bool {
        self.0.iter().any(|invalid| invalid.is_none_or(|invalid| keys.contains(&invalid)))
    }

    /// Returns whether this item itself has a mistake.
    pub fn has(&self, key: &Ident) -> bool {
        self.0.iter().flatten().any(|invalid| key == invalid)
    }
}
