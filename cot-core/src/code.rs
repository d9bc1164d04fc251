//! Functions of the user's own that a run performs.

use std::{any::Any, error::Error, fmt};

use serde::{Deserialize, Serialize};

use crate::issue::cut_text;

/// Why a code task failed: what its error says, with all that it says of its causes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CodeError {
    message: String,
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
        Self { message }
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

    /// What a function said when it panicked.
    pub(crate) fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        match text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)) {
            Some(text) => Self::new(format_args!("it panicked: {text}")),
            None => Self::new("it panicked"),
        }
    }
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for CodeError {}
