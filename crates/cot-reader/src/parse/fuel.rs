//! How far a parser may look ahead.

use std::cell::Cell;

/// How far a reader may look ahead in all: it keeps the time linear in the text.
#[derive(Debug)]
pub(crate) struct Fuel(Cell<usize>);

impl Fuel {
    /// Fuel for a text.
    pub(crate) fn of(text: &str) -> Self {
        Self(Cell::new(text.len().saturating_mul(64).saturating_add(64 * 1024)))
    }

    /// Pays for bytes that were looked at. `false` when there is nothing left.
    pub(crate) fn burn(&self, bytes: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(bytes));
        !self.is_spent()
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}
