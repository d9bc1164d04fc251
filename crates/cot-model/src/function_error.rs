//! The error of a function that a run performs.

use std::{any::Any, error::Error, fmt};

use cot_schema::internal::truncate;
use serde::{Deserialize, Serialize};

use crate::effect_error::EffectError;

/// The error of a function that a run performs: its message and those of its causes, joined by `: `, and what
/// became of the effect of the call.
///
/// An error says what became of the effect by its constructor: [`not_done`](Self::not_done), [`done`](Self::done),
/// [`unknown`](Self::unknown). An error of another type says it with an [`EffectError`] among its causes. The
/// effect of any other error is unknown, so that a call with `effect: once` is not made again after it.
///
/// ```
/// use cot_model::{EffectError, FunctionError};
///
/// let declined = FunctionError::not_done("the card was declined");
/// assert_eq!(declined.outcome(), EffectError::NotDone);
/// assert_eq!(FunctionError::new("connection reset").outcome(), EffectError::Unknown);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ErrorJson", into = "ErrorJson")]
pub struct FunctionError {
    message: String,
    kind: ErrorKind,
}

/// How a function failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ErrorKind {
    Returned(EffectError),
    Panicked,
}

/// The JSON of a [`FunctionError`]: the message, wrapped in an object unless the effect of a returned error is
/// unknown.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ErrorJson {
    Unknown(String),
    NotDone { not_done: String },
    Done { done: String },
    Panic { panicked: String },
}

/// Maximum length of a message.
const MAX_MESSAGE_BYTES: usize = 2000;

impl FunctionError {
    /// Creates an error that does not say what became of the effect. Long messages are truncated.
    #[must_use]
    pub fn new(message: impl fmt::Display) -> Self {
        Self::returned(EffectError::Unknown, message)
    }

    /// Creates the error of a function that has done nothing, such as that of a request that was not sent. The call
    /// can be made again.
    #[must_use]
    pub fn not_done(message: impl fmt::Display) -> Self {
        Self::returned(EffectError::NotDone, message)
    }

    /// Creates the error of a function that has had its effect and has no usable result, such as a response that can't
    /// be parsed. The call is not made again: the task takes its route for `exhausted`.
    #[must_use]
    pub fn done(message: impl fmt::Display) -> Self {
        Self::returned(EffectError::Done, message)
    }

    /// Creates the error of a function that does not know whether it has had its effect, such as that of a request
    /// whose connection was lost before the response. A call with `effect: once` counts as interrupted, and is not
    /// made again.
    #[must_use]
    pub fn unknown(message: impl fmt::Display) -> Self {
        Self::new(message)
    }

    /// Creates an error from the message of an error and those of its causes. What became of the effect is the first
    /// [`EffectError`] among the error and its causes, which a `FunctionError` has; otherwise it is unknown.
    #[must_use]
    pub fn from_error(error: &(dyn Error + 'static)) -> Self {
        if let Some(error) = error.downcast_ref::<Self>() {
            return error.clone();
        }
        let (mut texts, mut stated) = (Vec::new(), None);
        let mut next = Some(error);
        while let Some(error) = next {
            match error.downcast_ref::<EffectError>() {
                Some(outcome) => stated = stated.or(Some(*outcome)),
                None => texts.push(error.to_string()),
            }
            next = error.source();
        }
        let outcome = stated.unwrap_or(EffectError::Unknown);
        match &*texts {
            [] => Self::returned(outcome, outcome),
            texts => Self::returned(outcome, texts.join(": ")),
        }
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

    /// Returns what became of the effect. That of a function that panicked is unknown.
    #[must_use]
    pub const fn outcome(&self) -> EffectError {
        match self.kind {
            ErrorKind::Returned(outcome) => outcome,
            ErrorKind::Panicked => EffectError::Unknown,
        }
    }

    /// Returns the message of the error or of the panic.
    #[doc(hidden)]
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    fn returned(outcome: EffectError, message: impl fmt::Display) -> Self {
        let mut message = message.to_string();
        if message.len() > MAX_MESSAGE_BYTES {
            message = format!("{}…", truncate(&message, MAX_MESSAGE_BYTES));
        }
        Self { message, kind: ErrorKind::Returned(outcome) }
    }
}

/// Returns the message of a panic, if its payload is a string.
#[must_use]
pub fn panic_message(payload: &(dyn Any + Send)) -> Option<&str> {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

impl From<ErrorJson> for FunctionError {
    fn from(written: ErrorJson) -> Self {
        let (kind, message) = match written {
            ErrorJson::Unknown(message) => (ErrorKind::Returned(EffectError::Unknown), message),
            ErrorJson::NotDone { not_done } => {
                (ErrorKind::Returned(EffectError::NotDone), not_done)
            }
            ErrorJson::Done { done } => (ErrorKind::Returned(EffectError::Done), done),
            ErrorJson::Panic { panicked } => (ErrorKind::Panicked, panicked),
        };
        Self { message, kind }
    }
}

impl From<FunctionError> for ErrorJson {
    fn from(FunctionError { message, kind }: FunctionError) -> Self {
        match kind {
            ErrorKind::Returned(EffectError::Unknown) => Self::Unknown(message),
            ErrorKind::Returned(EffectError::NotDone) => Self::NotDone { not_done: message },
            ErrorKind::Returned(EffectError::Done) => Self::Done { done: message },
            ErrorKind::Panicked => Self::Panic { panicked: message },
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

impl Error for FunctionError {
    /// Returns what became of the effect, if the error says it, so that an error around this one says it too.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self.outcome() {
            EffectError::NotDone => Some(&EffectError::NotDone),
            EffectError::Done => Some(&EffectError::Done),
            EffectError::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Around<E>(E);

    impl<E> fmt::Display for Around<E> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("paying")
        }
    }

    impl<E: Error + 'static> Error for Around<E> {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn an_error_around_another_one_says_the_same_of_the_effect() {
        let error = FunctionError::from_error(&Around(Around(FunctionError::not_done("declined"))));
        assert_eq!(error.outcome(), EffectError::NotDone);
        assert_eq!(error.to_string(), "paying: paying: declined");
        let error = FunctionError::from_error(&Around(EffectError::Done));
        assert_eq!((error.outcome(), &*error.to_string()), (EffectError::Done, "paying"));
        let error = FunctionError::from_error(&Around(fmt::Error));
        assert_eq!(error.outcome(), EffectError::Unknown);
        let error = FunctionError::from_error(&EffectError::NotDone);
        assert_eq!(error.to_string(), "nothing was done");
    }

    #[test]
    fn an_error_is_the_same_when_it_is_read_back() {
        let panic = FunctionError::from_panic(&"no");
        let errors = [FunctionError::not_done("a"), FunctionError::done("b"), panic];
        for error in errors.into_iter().chain([FunctionError::new("c")]) {
            let json = serde_json::to_string(&error).unwrap();
            assert_eq!(serde_json::from_str::<FunctionError>(&json).unwrap(), error, "{json}");
            assert_eq!(FunctionError::from_error(&error), error);
        }
    }
}
