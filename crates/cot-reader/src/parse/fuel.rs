//! The budget for look-ahead.

use std::cell::Cell;

/// The budget for look-ahead in one reply, linear in its length.
#[derive(Debug)]
pub(crate) struct Fuel(Cell<usize>);

impl Fuel {
    /// Creates the budget for a text.
    pub(crate) fn for_text(text: &str) -> Self {
        Self(Cell::new(text.len().saturating_mul(64).saturating_add(64 * 1024)))
    }

    /// Consumes fuel for a number of inspected bytes. Returns false if it is used up.
    pub(crate) fn burn(&self, bytes: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(bytes));
        !self.is_spent()
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}
