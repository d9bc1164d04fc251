//! How a command ends.

use std::{error::Error, process::ExitCode};

use crate::message;

/// What came of the input. The worst of several counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Nothing is wrong with it.
    Fine,
    /// Something is wrong with it, and has been said.
    Findings,
    /// It could not be read, or the result not be written.
    Failed,
}

/// What a command gives.
pub(crate) type Outcome = Result<Verdict, Box<dyn Error>>;

impl Verdict {
    /// The verdict of an outcome, whose error is said.
    pub(crate) fn of(outcome: Outcome) -> Self {
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
