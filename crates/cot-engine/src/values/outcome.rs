//! How a run ends.

use std::{fmt, time::Duration};

use cot_model::{FunctionError, ModelError, ModelErrorKind, Usage};
use cot_schema::Issues;
use serde::{Deserialize, Serialize};

use super::{budget::Budget, panicked::Panic};

/// How a run of any process ended. The outcome of a process is made from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ending<T> {
    /// An `end` task was reached.
    End(T),
    /// A `fail` task was reached.
    Fail(T, String),
    /// A task ran out of routes, and no task had called it.
    RanOut(T),
    /// The run could not continue.
    Halted(Halt<T>),
}

impl<T: fmt::Display> Ending<T> {
    /// Returns why the run failed: the message of the `fail` task, or the reason and the task at which it
    /// halted.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        match self {
            Self::End(_) | Self::RanOut(_) => None,
            Self::Fail(_, why) => Some(why.clone()),
            Self::Halted(halt) => Some(halt.to_string()),
        }
    }
}

impl<T: Copy> Ending<T> {
    /// Returns the task at which the run ended.
    pub fn task(&self) -> T {
        match self {
            Self::End(task) | Self::Fail(task, _) | Self::RanOut(task) => *task,
            Self::Halted(halt) => halt.task,
        }
    }
}

/// Why and where a run halted. Everything that was committed before is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Halt<T> {
    /// The task that was being run.
    pub task: T,
    /// The reason to halt.
    pub reason: HaltReason,
    /// The failed attempts of this visit of the task, the last one last.
    pub attempts: Vec<Attempt>,
}

/// Why a run halted.
///
/// The impls of `Serialize` and `Deserialize` are in `halt_reason` and wrap those that are derived here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", remote = "Self")]
#[non_exhaustive]
pub enum HaltReason {
    /// Every attempt failed validation.
    Exhausted,
    /// The model called more tools in one visit of the task than the task allows. Contains that maximum.
    ToolCalls(u32),
    /// The reply was cut off by the limit of tokens.
    Truncated,
    /// The model refused to answer. Contains its reply.
    Refused(String),
    /// The task's time limit passed.
    TaskTimeout(Duration),
    /// The run's time limit passed.
    RunTimeout(Duration),
    /// The run's limit of steps was reached.
    MaxSteps(u64),
    /// The run made this number of steps without an answer of a person. It is the default limit of a process that
    /// could run without end and sets neither `max_steps` nor a `budget`.
    DefaultSteps(u64),
    /// A for-each task has more items than its `max_items`. Contains that maximum and the number of items.
    TooManyItems {
        /// The maximum.
        max: usize,
        /// The number of items.
        count: usize,
    },
    /// The run's budget is used up.
    Budget(Budget),
    /// The function of a code task failed at its last attempt, or an async `check` could not decide whether
    /// an output is valid.
    CodeFailed(FunctionError),
    /// It is not known whether a call with `effect: once` took effect: its function did not say so, or its driver
    /// ended before the result was durable. It is not made again.
    Interrupted,
    /// The sub-process of a task failed.
    ProcessFailed(Box<NestedFailure>),
    /// A for-each task failed at one of its items. The calls for the other items were dropped.
    ItemFailed(Box<FailedItem>),
    /// A branch of a parallel task failed, and the task with it. The calls of the other branches were dropped.
    BranchFailed(Box<FailedBranch>),
    /// A task reads a state field that is not set. The compiler proves that no path leads there, so a
    /// function outside the declaration, or the caller that created the state, removed the value.
    Unwritten(String),
    /// The model could not be reached, or its account can't be used: the
    /// [kind](ModelError::kind) of the error tells them apart.
    Unreachable(ModelError),
    /// A template failed.
    Template(String),
    /// The run was cancelled. Contains the reason.
    Cancelled(String),
    /// Gateways led to each other in a circle, by guards that do not depend on the state alone.
    GatewayLoop,
    /// Code of the process panicked. It is not retried and no route of `on` is taken, except for the function
    /// of a code task: its panic counts as an error, and the run halts when no retry and no route is left.
    Panicked(Box<Panic>),
}

/// Where and why a sub-process failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NestedFailure {
    /// Name of the process.
    pub process: String,
    /// Name of the task at which the sub-process ended.
    pub task: String,
    /// Why it halted; `None` if it reached a `fail` task.
    pub reason: Option<HaltReason>,
    /// The message of the `fail` task, or the reason in words.
    pub why: String,
    /// The failed attempts of the last visit of the task.
    pub attempts: Vec<Attempt>,
}

/// The item at which a for-each task failed, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FailedItem {
    /// The number of the item, from 0.
    pub item: usize,
    /// The reason to halt.
    pub reason: HaltReason,
    /// The numbers of the items with a valid output.
    pub done: Vec<usize>,
    /// The number of items.
    pub total: usize,
}

/// The branch at which a parallel task failed, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FailedBranch {
    /// The name of the first task of the branch.
    pub branch: String,
    /// The name of the task at which the branch ended.
    pub task: String,
    /// Why it halted; `None` if it ended without reaching the join.
    pub reason: Option<HaltReason>,
    /// The reason in words.
    pub why: String,
}

/// A failed attempt of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Attempt {
    /// Its number within the visit of the task, from 1; in a for-each task, within the item.
    pub number: u32,
    /// The number of the item, in a for-each task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    /// The engine that was called, if the task or the process names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How the attempt failed.
    pub failure: Failure,
    /// The reply of the model or the person, truncated if it is long.
    pub reply: String,
    /// The issues found in the reply.
    pub issues: Issues,
    /// The usage of the call.
    pub usage: Usage,
    /// The duration of the call.
    pub elapsed: Duration,
}

impl Attempt {
    /// Creates an attempt without reply, issues, usage and time. Its fields can be set afterwards.
    #[must_use]
    pub fn new(number: u32, failure: Failure) -> Self {
        Self {
            number,
            item: None,
            engine: None,
            failure,
            reply: String::new(),
            issues: Issues::default(),
            usage: Usage::default(),
            elapsed: Duration::ZERO,
        }
    }
}

/// How an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Failure {
    /// The answer was rejected. The task asks again while retries are left.
    Rejected,
    /// The reply was cut off by the limit of tokens.
    Truncated,
    /// The model refused to answer.
    Refused,
    /// The time limit passed before an answer.
    TimedOut,
    /// The model could not be reached.
    Unreachable,
    /// The function, or the sub-process, failed.
    Failed,
    /// It is not known whether the call, which is made only once, took effect.
    Interrupted,
    /// The function had its effect, and has no usable result. It is not called again.
    Unusable,
}

impl Failure {
    /// Returns the failure as the predicate of a sentence about the attempt.
    #[doc(hidden)]
    #[must_use]
    pub const fn predicate(self) -> &'static str {
        match self {
            Self::Rejected => "was not accepted",
            Self::Truncated => "was cut off by the limit of tokens",
            Self::Refused => "was refused by the model",
            Self::TimedOut => "took too long",
            Self::Unreachable => "did not reach the model",
            Self::Failed => "failed",
            Self::Interrupted => "was interrupted",
            Self::Unusable => "had its effect and no usable result",
        }
    }
}

impl HaltReason {
    /// Returns whether the run halted since it is not known whether a call with `effect: once` took effect, in an
    /// item, a branch or a sub-process too.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        match self {
            Self::Interrupted => true,
            Self::ItemFailed(failed) => failed.reason.is_interrupted(),
            Self::BranchFailed(failed) => failed.reason.as_ref().is_some_and(Self::is_interrupted),
            Self::ProcessFailed(nested) => nested.reason.as_ref().is_some_and(Self::is_interrupted),
            _ => false,
        }
    }

    /// Returns the kind of the reason in one or two words, without its data, for grouping and counting.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Exhausted => "exhausted",
            Self::ToolCalls(_) => "tool calls",
            Self::Truncated => "truncated",
            Self::Refused(_) => "refused",
            Self::TaskTimeout(_) | Self::RunTimeout(_) => "timeout",
            Self::MaxSteps(_) => "max_steps",
            Self::DefaultSteps(_) => "default steps",
            Self::TooManyItems { .. } => "too many items",
            Self::Budget(_) => "budget",
            Self::CodeFailed(_) => "code failed",
            Self::Interrupted => "interrupted",
            Self::ProcessFailed(_) => "process failed",
            Self::ItemFailed(_) => "item failed",
            Self::BranchFailed(_) => "branch failed",
            Self::Unwritten(_) => "unwritten",
            Self::Unreachable(_) => "unreachable",
            Self::Template(_) => "template",
            Self::Cancelled(_) => "cancelled",
            Self::GatewayLoop => "gateway loop",
            Self::Panicked(_) => "panicked",
        }
    }
}

impl fmt::Display for HaltReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted => f.write_str("no attempt gave a valid reply"),
            Self::ToolCalls(max) => {
                write!(f, "more tool calls were made than the {max} that the task allows")
            }
            Self::Truncated => f.write_str("the reply was cut off by the limit of tokens"),
            Self::Refused(said) => write!(f, "the model refused: {said}"),
            Self::TaskTimeout(limit) => write!(f, "the task's time limit of {limit:?} passed"),
            Self::RunTimeout(limit) => write!(f, "the run's time limit of {limit:?} passed"),
            Self::MaxSteps(limit) => write!(f, "the run reached its limit of {limit} steps"),
            Self::DefaultSteps(limit) => write!(
                f,
                "the run made {limit} steps without an answer of a person, the default limit of a process that sets \
                 neither `max_steps` nor a `budget`: a retry continues it, and `max_steps` in the process sets another \
                 limit"
            ),
            Self::TooManyItems { max, count } => {
                write!(f, "the list has {count} items, and the task allows {max} (`max_items`)")
            }
            Self::Budget(budget) => write!(f, "the budget of {budget} is used up"),
            Self::CodeFailed(error) => write!(f, "the function failed: {error}"),
            Self::Interrupted => f.write_str(
                "the call was started and not completed, and it is not known whether it took effect",
            ),
            Self::ProcessFailed(nested) => {
                write!(
                    f,
                    "the process {} failed at its task `{}`: {}",
                    nested.process, nested.task, nested.why
                )
            }
            Self::ItemFailed(failed) => {
                let FailedItem { item, reason, done, total } = &**failed;
                write!(f, "item {item} of {total} failed ({} were done): {reason}", done.len())
            }
            Self::BranchFailed(failed) => {
                let FailedBranch { branch, task, why, .. } = &**failed;
                write!(f, "the branch `{branch}` failed at its task `{task}`: {why}")
            }
            Self::Unwritten(field) => write!(f, "the state field `{field}` is not written"),
            Self::Unreachable(error) if *error.kind() == ModelErrorKind::Diverged => {
                write!(f, "the replay diverged: {error}")
            }
            Self::Unreachable(error) if *error.kind() == ModelErrorKind::Account => {
                write!(f, "the account of the model can't be used: {error}")
            }
            Self::Unreachable(error) => write!(f, "the model could not be reached: {error}"),
            Self::Template(what) => write!(f, "a template failed: {what}"),
            Self::Cancelled(why) => write!(f, "cancelled: {why}"),
            Self::GatewayLoop => f.write_str("gateways lead to each other in a circle"),
            Self::Panicked(panic) => panic.fmt(f),
        }
    }
}

impl<T: fmt::Display> fmt::Display for Halt<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task `{}`: {}", self.task, self.reason)?;
        match self.attempts.last() {
            // Other failures of an attempt are the reason itself.
            Some(last) if last.failure == Failure::Rejected => {
                write!(f, " (attempt {}: {})", last.number, last.issues)
            }
            _ => Ok(()),
        }
    }
}

/// Converts the task of an ending.
pub fn map_ending<A, B, E>(
    ending: Ending<A>,
    name: impl FnOnce(A) -> Result<B, E>,
) -> Result<Ending<B>, E> {
    Ok(match ending {
        Ending::End(task) => Ending::End(name(task)?),
        Ending::Fail(task, why) => Ending::Fail(name(task)?, why),
        Ending::RanOut(task) => Ending::RanOut(name(task)?),
        Ending::Halted(Halt { task, reason, attempts }) => {
            Ending::Halted(Halt { task: name(task)?, reason, attempts })
        }
    })
}
