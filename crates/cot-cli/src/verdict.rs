//! The results and exit statuses of commands.

use std::{error::Error, process::ExitCode};

use crate::message;

/// The verdict on the input; greater is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// The input has no problems.
    Fine,
    /// The input has problems, which were reported.
    Findings,
    /// The input could not be read, or the result could not be written.
    Failed,
}

/// The result of a command.
pub(crate) type Outcome = Result<Verdict, Box<dyn Error>>;

impl Verdict {
    /// Converts an outcome to a verdict; prints its error.
    pub(crate) fn from_outcome(outcome: Outcome) -> Self {
        outcome.unwrap_or_else(|error| {
            message::error(&*error);
            Self::Failed
        })
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Fine => Self::SUCCESS,
            Verdict::Findings => Self::from(1),
            Verdict::Failed => Self::from(2),
        }
    }
}
