//! Outputs that are still coming in.

use serde::{Deserialize, Deserializer};

/// A part of an output that is still coming in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incoming<T> {
    /// Nothing of it has come, or not yet enough to tell what it is.
    Missing,
    /// What has come so far: the beginning of a text, the first items of a list.
    Unfinished(T),
    /// All of it.
    Finished(T),
}

impl<T> Default for Incoming<T> {
    fn default() -> Self {
        Self::Missing
    }
}

impl<T> Incoming<T> {
    /// What has come so far.
    pub const fn get(&self) -> Option<&T> {
        match self {
            Self::Missing => None,
            Self::Unfinished(value) | Self::Finished(value) => Some(value),
        }
    }

    /// Whether all of it has come.
    pub const fn is_finished(&self) -> bool {
        matches!(self, Self::Finished(_))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Incoming<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::Finished)
    }
}
