//! A number that may be unbounded.

use std::fmt;

/// How often something happens at most: a number of times, or without bound.
///
/// A number that does not fit into 64 bits counts as unbounded.
///
/// ```
/// use cot_bounds::Bound;
///
/// assert_eq!(Bound::at_most(3).times(Bound::at_most(4)).get(), Some(12));
/// assert_eq!(Bound::UNBOUNDED.plus(Bound::at_most(1)).to_string(), "unbounded");
/// assert!(Bound::at_most(12) < Bound::UNBOUNDED);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound(u64);

impl Bound {
    /// It never happens.
    pub const ZERO: Self = Self(0);
    /// It can happen any number of times.
    pub const UNBOUNDED: Self = Self(u64::MAX);

    /// Creates a bound.
    #[must_use]
    pub const fn at_most(number: u64) -> Self {
        Self(number)
    }

    /// Returns the number, or `None` if there is no bound.
    #[must_use]
    pub const fn get(self) -> Option<u64> {
        if self.0 == u64::MAX { None } else { Some(self.0) }
    }

    /// Returns whether the number is at most `limit`.
    #[must_use]
    pub const fn is_within(self, limit: u64) -> bool {
        self.0 <= limit && self.0 != u64::MAX
    }

    /// Returns the bound of two things that happen one after the other.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Returns the bound of a thing that happens `count` times. What never happens does not happen without end.
    #[must_use]
    pub const fn times(self, count: Self) -> Self {
        Self(self.0.saturating_mul(count.0))
    }

    /// Returns the larger one: the bound of one of two things.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        if self.0 < other.0 { other } else { self }
    }

    /// Returns the smaller one: that of a thing with two bounds.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        if self.0 < other.0 { self } else { other }
    }
}

impl From<u64> for Bound {
    fn from(number: u64) -> Self {
        Self::at_most(number)
    }
}

impl From<u32> for Bound {
    fn from(number: u32) -> Self {
        Self::at_most(number.into())
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(number) => f.pad(&number.to_string()),
            None => f.pad("unbounded"),
        }
    }
}
