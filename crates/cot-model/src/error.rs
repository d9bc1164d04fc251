//! Why a model could not be reached.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use cot_schema::internal::cut_text;
use serde::{Deserialize, Serialize};

/// A failure to get a reply from a model.
///
/// It never holds a key, nor a prompt, but for the beginning of one that a scripted model had no answer
/// to and for what changed in one that a replay had another answer to. The source is kept, but does not survive serialization.
#[derive(Clone, Serialize, Deserialize)]
pub struct ModelError {
    kind: ModelErrorKind,
    message: String,
    #[serde(skip)]
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// Longest message of an error.
const MAX_MESSAGE_BYTES: usize = 2000;

/// What kind of failure it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The server answered with an HTTP status that is not a success.
    Status {
        /// The status code.
        code: u16,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The server could not be reached, or the connection broke.
    Connection,
    /// No answer within the client's time limit.
    Timeout,
    /// The answer was larger than the client accepts.
    TooLarge,
    /// The answer is not what the protocol says.
    Protocol,
    /// The schema of the reply can't be expressed in the engine's dialect.
    Schema,
    /// A scripted model has no answer left.
    ScriptEnded,
    /// A replay no longer fits its capture.
    Diverged,
    /// Anything else.
    Other,
}

impl ModelError {
    /// An error of a kind, with what happened in words; long texts are cut.
    #[must_use]
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if message.len() > MAX_MESSAGE_BYTES {
            message = format!("{}…", cut_text(&message, MAX_MESSAGE_BYTES));
        }
        Self { kind, message, source: None }
    }

    /// Keeps the error that caused this one.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// What kind of failure it was.
    #[must_use]
    pub const fn kind(&self) -> &ModelErrorKind {
        &self.kind
    }

    /// Whether asking again may help: the server was busy or failed, or the connection broke.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        match &self.kind {
            ModelErrorKind::Status { code, .. } => matches!(code, 408 | 429 | 500..=599),
            ModelErrorKind::Connection | ModelErrorKind::Timeout => true,
            _ => false,
        }
    }
}

/// Errors are equal that say the same; their sources don't count.
impl PartialEq for ModelError {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.message == other.message
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelError")
            .field("kind", &self.kind)
            .field("message", &self.message)
            .field("source", &self.source)
            .finish()
    }
}

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
