//! Parsed items, and a record of those that could not be parsed.

use syn::{Attribute, Ident};

/// An item: its key, which carries the span, and its value.
#[derive(Debug)]
pub struct Item<T> {
    /// The key as written.
    pub key: Ident,
    /// The value, which follows the key.
    pub value: T,
}

/// A field for an item that can be given at most once.
pub type Slot<T> = Option<Item<T>>;

/// The beginning of an item, before its value.
pub(crate) struct ItemHead {
    /// The doc comments before the key.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) key: Ident,
}

/// The keys of the items that could not be parsed. `None` is an item of unknown key.
#[derive(Debug, Default)]
pub struct InvalidItems(Vec<Option<&'static str>>);

impl InvalidItems {
    /// Creates a record in which any item may have been lost.
    pub(crate) fn unknown() -> Self {
        Self(vec![None])
    }

    pub(crate) fn push(&mut self, key: Option<&'static str>) {
        self.0.push(key);
    }

    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns whether all items could be parsed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether one of these items could not be parsed. Items of unknown key match any key.
    pub fn may_include(&self, keys: &[&str]) -> bool {
        self.0.iter().any(|invalid| invalid.is_none_or(|invalid| keys.contains(&invalid)))
    }

    /// Returns whether the item with this key could not be parsed.
    pub fn includes(&self, key: &Ident) -> bool {
        self.0.iter().flatten().any(|invalid| key == invalid)
    }
}
