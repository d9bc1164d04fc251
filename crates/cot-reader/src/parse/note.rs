//! The repairs of a string, collected before its path is known.

use crate::repair::{catalogue::RepairKind, fix::Fix};

const _: () = assert!(RepairKind::ALL.len() <= u128::BITS as usize, "there is a bit for each kind");

/// The set of repairs of one string.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// A bit set of the kinds of repairs.
    known: u128,
    /// The multiplier of the cost of inner quotes.
    inner: u32,
}

impl Notes {
    pub(super) const fn from_kind(kind: RepairKind) -> Self {
        Self { known: 1 << kind as u32, inner: 0 }
    }

    pub(super) const fn add(&mut self, kind: RepairKind) {
        self.known |= 1 << kind as u32;
    }

    pub(super) const fn has(self, kind: RepairKind) -> bool {
        self.known & (1 << kind as u32) != 0
    }

    /// Adds the repair of inner quotes with a multiplier of its cost.
    pub(super) const fn add_inner(&mut self, count: u32) {
        self.add(RepairKind::InnerQuotes);
        self.inner = count;
    }

    /// Returns the repairs in the order of the catalogue.
    pub(super) fn fixes(self) -> impl Iterator<Item = Fix> {
        let mut left = self.known;
        std::iter::from_fn(move || {
            let kind = *RepairKind::ALL.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            let count = if kind == RepairKind::InnerQuotes { self.inner } else { 1 };
            Some(Fix::from(kind).times(count))
        })
    }
}
