//! What both ends of the reading know: the name of the newtype, and the error.

use std::fmt;

use serde::de::Error;

/// The name of the newtype that an [`Incoming`] asks for.
pub(super) const INCOMING: &str = "$cot_core::Incoming";

/// A value that can't be read as its type, or not yet. Nobody hears why.
#[derive(Debug)]
pub(super) struct NotYet;

impl fmt::Display for NotYet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("can't be read yet")
    }
}

impl std::error::Error for NotYet {}

impl Error for NotYet {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}
