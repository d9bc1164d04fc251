//! The error of a user function that a run performs.

use std::{any::Any, error::Error, fmt};

use cot_schema::internal::truncate;
use serde::{Deserialize, Serialize};

use super::panicked::panic_message;

/// The error of a user function: its message and those of its causes, joined by `: `.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ErrorJson", into = "ErrorJson")]
pub struct FunctionError {
    message: String,
    kind: ErrorKind,
}

/// When a function failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ErrorKind {
    /// It returned an error.
    Returned,
    /// It panicked.
    Panicked,
    /// It returned an output that can't be used.
    Unusable,
    /// It does not know whether it has had its effect.
    Interrupted,
}

/// The JSON of a [`FunctionError`]: the message, wrapped in an object unless the function returned an error.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ErrorJson {
    Error(String),
    Panic { panicked: String },
    Unusable { unusable: String },
    Interrupted { interrupted: String },
}

/// Maximum length of a message.
const MAX_MESSAGE_BYTES: usize = 2000;

impl FunctionError {
    /// Creates an error with a message. Long messages are truncated.
    #[must_use]
    pub fn new(message: impl fmt::Display) -> Self {
        let mut message = message.to_string();
        if message.len() > MAX_MESSAGE_BYTES {
            message = format!("{}…", truncate(&message, MAX_MESSAGE_BYTES));
        }
        Self { message, kind: ErrorKind::Returned }
    }

    /// Creates an error from the message of an error and those of its causes.
    #[must_use]
    pub fn from_error(error: &(dyn Error + 'static)) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            message.push_str(": ");
            message.push_str(&error.to_string());
            cause = error.source();
        }
        Self::new(message)
    }

    /// Creates the error of a function that panicked, from the payload that `catch_unwind` returns.
    #[must_use]
    pub fn from_panic(payload: &(dyn Any + Send)) -> Self {
        Self { kind: ErrorKind::Panicked, ..Self::new(panic_message(payload).unwrap_or_default()) }
    }

    /// Returns whether the function panicked.
    #[must_use]
    pub const fn is_panic(&self) -> bool {
        matches!(self.kind, ErrorKind::Panicked)
    }

    /// Creates the error of a function that does not know whether it has had its effect, such as that of a
    /// request whose connection was lost before the response. A call with
    /// [`Effect::Once`](crate::process::effect::Effect::Once) then counts as interrupted, and is not retried.
    #[must_use]
    pub fn interrupted(message: impl fmt::Display) -> Self {
        Self { kind: ErrorKind::Interrupted, ..Self::new(message) }
    }

    /// Returns whether the function does not know whether it has had its effect.
    #[must_use]
    pub const fn is_interrupted(&self) -> bool {
        matches!(self.kind, ErrorKind::Interrupted)
    }

    /// Creates the error of a function that succeeded, and whose output can't be used.
    pub(crate) fn unusable(message: impl fmt::Display) -> Self {
        Self { kind: ErrorKind::Unusable, ..Self::new(message) }
    }

    /// Returns whether the function succeeded, and its output can't be used.
    pub(crate) const fn is_unusable(&self) -> bool {
        matches!(self.kind, ErrorKind::Unusable)
    }

    /// Returns whether the function itself returned the error. Otherwise it may have had its effect.
    pub(crate) const fn is_returned(&self) -> bool {
        matches!(self.kind, ErrorKind::Returned)
    }

    /// Returns the message of the error or of the panic.
    #[doc(hidden)]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<ErrorJson> for FunctionError {
    fn from(written: ErrorJson) -> Self {
        match written {
            ErrorJson::Error(message) => Self { message, kind: ErrorKind::Returned },
            ErrorJson::Panic { panicked } => Self { message: panicked, kind: ErrorKind::Panicked },
            ErrorJson::Unusable { unusable } => {
                Self { message: unusable, kind: ErrorKind::Unusable }
            }
            ErrorJson::Interrupted { interrupted } => {
                Self { message: interrupted, kind: ErrorKind::Interrupted }
            }
        }
    }
}

impl From<FunctionError> for ErrorJson {
    fn from(FunctionError { message, kind }: FunctionError) -> Self {
        match kind {
            ErrorKind::Returned => Self::Error(message),
            ErrorKind::Panicked => Self::Panic { panicked: message },
            ErrorKind::Unusable => Self::Unusable { unusable: message },
            ErrorKind::Interrupted => Self::Interrupted { interrupted: message },
        }
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_panic(), self.message.as_str()) {
            (false, message) => f.write_str(message),
            (true, "") => f.write_str("it panicked"),
            (true, message) => write!(f, "it panicked: {message}"),
        }
    }
}

impl Error for FunctionError {}
