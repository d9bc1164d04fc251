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
    is_panic: bool,
}

/// The JSON of a [`FunctionError`]: the message, wrapped in an object if the function panicked.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ErrorJson {
    Error(String),
    Panic { panicked: String },
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
        Self { message, is_panic: false }
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
        Self { is_panic: true, ..Self::new(panic_message(payload).unwrap_or_default()) }
    }

    /// Returns whether the function panicked.
    #[must_use]
    pub const fn is_panic(&self) -> bool {
        self.is_panic
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
            ErrorJson::Error(message) => Self { message, is_panic: false },
            ErrorJson::Panic { panicked } => Self { message: panicked, is_panic: true },
        }
    }
}

impl From<FunctionError> for ErrorJson {
    fn from(FunctionError { message, is_panic }: FunctionError) -> Self {
        match is_panic {
            false => Self::Error(message),
            true => Self::Panic { panicked: message },
        }
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_panic, self.message.as_str()) {
            (false, message) => f.write_str(message),
            (true, "") => f.write_str("it panicked"),
            (true, message) => write!(f, "it panicked: {message}"),
        }
    }
}

impl Error for FunctionError {}
