//! What can be wrong with a run.

use std::fmt;

use cot_engine::{EventOutcome, SnapshotError, StartError};

/// What did not hold in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// An invariant does not hold.
    Invariant {
        /// What it is called.
        name: String,
        /// Why, where it says so.
        why: Option<String>,
    },
    /// Code of the process panicked: a template, a guard, a check, a hook.
    Panicked(String),
    /// The function of a code task panicked.
    FunctionPanicked(String),
    /// The function of a code task waits for something that nobody here brings about.
    FunctionWaits,
    /// The run can't start.
    Start(StartError),
    /// The run came to more tasks than it may.
    Steps {
        /// How many there were.
        steps: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The run took so many answers, and came to no end.
    Endless(u64),
    /// The machine did not take an answer that it waited for.
    NotTaken(EventOutcome),
    /// The machine took an answer for the second time.
    TakenTwice(EventOutcome),
    /// Polling twice gave two directives: what differs.
    Poll(String),
    /// There is no snapshot, or the run can't go on from it.
    Snapshot(SnapshotError),
    /// The run does not go on from a snapshot as it would without: what differs.
    Resumed(String),
}

impl Problem {
    pub(super) const fn is_panic(&self) -> bool {
        matches!(self, Self::Panicked(_) | Self::FunctionPanicked(_))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invariant { name, why: None } => write!(f, "`{name}` does not hold"),
            Self::Invariant { name, why: Some(why) } => write!(f, "`{name}` does not hold: {why}"),
            Self::Panicked(said) => write!(f, "code of the process panicked: {said}"),
            Self::FunctionPanicked(said) => {
                write!(f, "the function of the task panicked: {said}{CODE_HELP}")
            }
            Self::FunctionWaits => {
                write!(f, "the function of the task waits for something outside{CODE_HELP}")
            }
            Self::Start(error) => write!(f, "it can't start: {error}"),
            Self::Steps { steps, limit } => {
                write!(f, "it came to {steps} tasks, and may come to {limit} (see `max_steps`)")
            }
            Self::Endless(answers) => {
                write!(f, "it took {answers} answers, and came to no end")
            }
            Self::NotTaken(handled) => {
                write!(f, "the answer that it waited for was not taken: {handled:?}")
            }
            Self::TakenTwice(handled) => write!(f, "an answer was taken twice: {handled:?}"),
            Self::Poll(what) => write!(f, "polling again gave another directive: {what}"),
            Self::Snapshot(error) => write!(f, "it can't go on from a snapshot: {error}"),
            Self::Resumed(what) => {
                write!(f, "it goes on from a snapshot in another way: {what}")
            }
        }
    }
}

/// What to do about functions that need what is not here.
const CODE_HELP: &str = " (if it needs a runtime, say what it returns with `Monkey::code`)";
