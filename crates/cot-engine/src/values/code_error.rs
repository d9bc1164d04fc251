//! Functions of the user's own that a run performs.

use std::{any::Any, error::Error, fmt};

use cot_schema::internal::cut_text;
use serde::{Deserialize, Serialize};

use super::panicked::message;

/// Why a code task failed: what its error says, with all that it says of its causes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct CodeError {
    message: String,
    is_panic: bool,
}

/// An error as JSON: its message, and of a panic that it was one.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Error(String),
    Panic { panicked: String },
}

/// Longest message that is kept.
const MAX_MESSAGE_BYTES: usize = 2000;

impl CodeError {
    /// An error with a message; long ones are cut.
    #[must_use]
    pub fn new(message: impl fmt::Display) -> Self {
        let mut message = message.to_string();
        if message.len() > MAX_MESSAGE_BYTES {
            message = format!("{}…", cut_text(&message, MAX_MESSAGE_BYTES));
        }
        Self { message, is_panic: false }
    }

    /// An error with its causes.
    #[must_use]
    pub fn of(error: &(dyn Error + 'static)) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            message.push_str(": ");
            message.push_str(&error.to_string());
            cause = error.source();
        }
        Self::new(message)
    }

    /// The error of a function that panicked, from what `catch_unwind` gives.
    #[must_use]
    pub fn from_panic(payload: &(dyn Any + Send)) -> Self {
        Self { is_panic: true, ..Self::new(message(payload).unwrap_or_default()) }
    }

    /// Whether the function panicked.
    #[must_use]
    pub const fn is_panic(&self) -> bool {
        self.is_panic
    }

    /// What the error, or the panic, says.
    #[doc(hidden)]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<Written> for CodeError {
    fn from(written: Written) -> Self {
        match written {
            Written::Error(message) => Self { message, is_panic: false },
            Written::Panic { panicked } => Self { message: panicked, is_panic: true },
        }
    }
}

impl From<CodeError> for Written {
    fn from(CodeError { message, is_panic }: CodeError) -> Self {
        match is_panic {
            false => Self::Error(message),
            true => Self::Panic { panicked: message },
        }
    }
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_panic, self.message.as_str()) {
            (false, message) => f.write_str(message),
            (true, "") => f.write_str("it panicked"),
            (true, message) => write!(f, "it panicked: {message}"),
        }
    }
}

impl Error for CodeError {}
