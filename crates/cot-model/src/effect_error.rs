//! What became of the effect of a call.

use std::{error::Error, fmt};

/// What became of the effect of a call that failed.
///
/// It is an error itself, so that an error type can name it as its cause:
///
/// ```
/// use std::{error::Error, fmt};
///
/// use cot_model::{EffectError, FunctionError};
///
/// #[derive(Debug)]
/// struct Declined;
///
/// impl fmt::Display for Declined {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         f.write_str("the card was declined")
///     }
/// }
///
/// impl Error for Declined {
///     fn source(&self) -> Option<&(dyn Error + 'static)> {
///         Some(&EffectError::NotDone)
///     }
/// }
///
/// assert_eq!(FunctionError::from_error(&Declined).outcome(), EffectError::NotDone);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EffectError {
    /// Nothing was done: the call can be made again.
    NotDone,
    /// The effect has happened, and only its result is missing: the call is not made again.
    Done,
    /// It is not known whether the effect has happened: a call with `effect: once` is not made again.
    Unknown,
}

impl fmt::Display for EffectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotDone => "nothing was done",
            Self::Done => "it was done, without a usable result",
            Self::Unknown => "it is not known whether it was done",
        })
    }
}

impl Error for EffectError {}
