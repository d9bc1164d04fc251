//! The name of the newtype by which `Incoming` and its deserializer communicate, and their error.

use std::fmt;

use serde::de::Error;

/// The name of the newtype that an [`Incoming`] requests.
pub(super) const INCOMING: &str = "$cot_core::Incoming";

/// The error of a value that can't be deserialized, or not yet. It carries no reason, since none is
/// reported.
#[derive(Debug)]
pub(super) struct NotYetError;

impl fmt::Display for NotYetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("can't be read yet")
    }
}

impl std::error::Error for NotYetError {}

impl Error for NotYetError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}
