//! Futures of events that are not in the journal yet.

use std::pin::Pin;

use restate_sdk::{context::DurableFuture, prelude::TerminalError};

/// A future that resolves to an event of the journal.
pub(crate) type PendingEvent<'a, T> =
    Pin<Box<dyn DurableFuture<Output = Result<T, TerminalError>> + Send + 'a>>;
