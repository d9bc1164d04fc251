//! The error of a model call.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use cot_schema::internal::truncate;
use serde::{Deserialize, Serialize};

use crate::usage::Usage;

/// An error of a call to a language model.
///
/// It never contains an API key or a prompt, with two exceptions: a scripted model without an answer shows
/// the beginning of the prompt, and a replay shows what differs from the captured prompt. The source is
/// skipped in serialization.
#[derive(Clone, Serialize, Deserialize)]
pub struct ModelError {
    kind: ModelErrorKind,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<Box<Usage>>,
    #[serde(skip)]
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// Maximum length of the message.
const MAX_MESSAGE_BYTES: usize = 2000;

/// The kind of a [`ModelError`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The server responded with an HTTP error status.
    Status {
        /// The status code.
        code: u16,
        /// The delay that the server asks for before a retry.
        retry_after: Option<Duration>,
    },
    /// The account or the key can't be used: a wrong key, no credit, no permission. No wait mends it.
    Account,
    /// The server could not be reached, or the connection was lost.
    Connection,
    /// A time limit of the client was exceeded before the reply began.
    Timeout,
    /// A time limit of the client was exceeded after the reply had begun.
    Unfinished,
    /// The server or the model gave up before the reply was complete, and reported no status.
    Aborted,
    /// The server rejected the reply that the model wrote, such as a malformed call of a tool. The message says
    /// why. The model should be asked again with this message.
    Rejected,
    /// The response is larger than the client accepts.
    TooLarge,
    /// The response violates the protocol.
    Protocol,
    /// The schema of the reply can't be expressed in the engine's dialect.
    Schema,
    /// The request contains an image or a document that can't be sent to the engine.
    Media,
    /// A scripted model has no more answers.
    ScriptEnded,
    /// A replay diverged from its capture.
    Diverged,
    /// Any other error.
    Other,
}

impl ModelError {
    /// Creates an error of a kind with a message. Long messages are truncated.
    #[must_use]
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if message.len() > MAX_MESSAGE_BYTES {
            message = format!("{}…", truncate(&message, MAX_MESSAGE_BYTES));
        }
        Self { kind, message, usage: None, source: None }
    }

    /// Sets the usage of the failed call, as far as it is known.
    #[must_use]
    pub fn with_usage(mut self, usage: Option<Usage>) -> Self {
        self.usage = usage.map(Box::new);
        self
    }

    /// Sets the underlying error.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> &ModelErrorKind {
        &self.kind
    }

    /// Returns the usage of the failed call; `None` if it is not known.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        self.usage.as_deref().copied()
    }

    /// Returns whether the same call may succeed later.
    ///
    /// | error | retryable |
    /// |---|---|
    /// | [`Connection`](ModelErrorKind::Connection), [`Timeout`](ModelErrorKind::Timeout), [`Aborted`](ModelErrorKind::Aborted) | yes |
    /// | [`Status`](ModelErrorKind::Status) 408, 429 and 5xx | yes |
    /// | [`Unfinished`](ModelErrorKind::Unfinished) | no: a reply that takes too long once takes too long again, and is paid again |
    /// | [`Account`](ModelErrorKind::Account), [`Rejected`](ModelErrorKind::Rejected), and all others | no |
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        match &self.kind {
            ModelErrorKind::Status { code, .. } => matches!(code, 408 | 429 | 500..=599),
            ModelErrorKind::Connection | ModelErrorKind::Timeout | ModelErrorKind::Aborted => true,
            _ => false,
        }
    }
}

/// Compares kinds, messages and usage, but not sources.
impl PartialEq for ModelError {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.message == other.message && self.usage == other.usage
    }
}

cot_schema::debug_as_sentence!(ModelError);

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}
