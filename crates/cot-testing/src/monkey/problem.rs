//! Problems of a run.

use std::fmt;

use cot_engine::{Bound, EventOutcome, Quantity, SnapshotError, StartError};

/// The problem of a failed run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// An invariant is violated.
    Invariant {
        /// The name of the invariant.
        name: String,
        /// The reason, if the invariant returned one.
        why: Option<String>,
    },
    /// Code of the process panicked: a template, a guard, a check or a hook.
    Panicked(String),
    /// The function of a task panicked.
    FunctionPanicked(String),
    /// The result of a function has a type without a JSON schema, so that it can't be generated.
    NoSchema,
    /// The function of a task waits for an external event, which a monkey does not produce.
    FunctionWaits,
    /// The run can't start.
    Start(StartError),
    /// The run exceeded its step limit.
    Steps {
        /// The number of steps.
        steps: u64,
        /// The limit.
        limit: u64,
    },
    /// The run used more than the compiler has computed as the worst case.
    Bound {
        /// What it used.
        quantity: Quantity,
        /// How much of it.
        used: Bound,
        /// The worst case.
        bound: Bound,
    },
    /// The run did not end within this number of answers.
    Endless(u64),
    /// The machine rejected an answer that it was waiting for.
    NotTaken(EventOutcome),
    /// The machine accepted an answer for the second time.
    TakenTwice(EventOutcome),
    /// A repeated poll returned other directives. Contains the difference.
    Poll(String),
    /// The run has no snapshot, or can't be resumed from it.
    Snapshot(SnapshotError),
    /// A run that was resumed from a snapshot differs from the original. Contains the difference.
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
            Self::Panicked(message) => write!(f, "code of the process panicked: {message}"),
            Self::FunctionPanicked(message) => {
                write!(f, "the function of the task panicked: {message}{CODE_HELP}")
            }
            Self::NoSchema => f.write_str(
                "the result of the function of the task has a type without a JSON schema: derive `JsonSchema` \
                 for it, or give the results with `Monkey::code`",
            ),
            Self::FunctionWaits => {
                write!(f, "the function of the task waits for an external event{CODE_HELP}")
            }
            Self::Start(error) => write!(f, "it can't start: {error}"),
            Self::Steps { steps, limit } => {
                write!(f, "it made {steps} steps, and the limit is {limit} (see `max_steps`)")
            }
            Self::Bound { quantity, used, bound } => {
                write!(f, "it used {used} {quantity}, and the worst case is {bound}")
            }
            Self::Endless(answers) => {
                write!(f, "it did not end within {answers} answers")
            }
            Self::NotTaken(handled) => {
                write!(f, "it rejected an answer that it was waiting for: {handled:?}")
            }
            Self::TakenTwice(handled) => write!(f, "it accepted an answer twice: {handled:?}"),
            Self::Poll(what) => write!(f, "polling again returned other directives: {what}"),
            Self::Snapshot(error) => write!(f, "it can't be resumed from a snapshot: {error}"),
            Self::Resumed(what) => {
                write!(f, "it differs after it is resumed from a snapshot: {what}")
            }
        }
    }
}

/// Advice for functions that need a runtime.
const CODE_HELP: &str =
    " (if it needs a runtime, give its results with `Monkey::code`, or let them be generated)";
