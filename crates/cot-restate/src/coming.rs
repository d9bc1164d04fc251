//! Entries of the journal that are still to come.

use std::pin::Pin;

use restate_sdk::{context::DurableFuture, prelude::TerminalError};

/// Something that is still to come into the journal.
pub(crate) type Coming<'a, T> =
    Pin<Box<dyn DurableFuture<Output = Result<T, TerminalError>> + Send + 'a>>;
