//! What happens in a span, and how it ends.

use std::time::Duration;

use cot_engine::{Attempt, BranchOutcome, Event, Question, Route};
use cot_model::Usage;
use cot_store::{EndKind, StoreError};

use crate::runner::error::RunError;

/// What happens in a span.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum SpanEvent<'a> {
    /// A call: the first chunk of the reply was received.
    FirstChunk,
    /// A call: the model holds it back for at least this time, since a rate limit is reached.
    RateLimited(Duration),
    /// An attempt: its reply was read after so many repairs.
    Repaired {
        /// The number of repairs.
        repairs: usize,
    },
    /// An attempt: it failed. Its end follows.
    AttemptFailed {
        /// The attempt, with its reply and issues.
        attempt: &'a Attempt,
        /// Whether the task retries.
        will_retry: bool,
    },
    /// A task: an output was accepted and committed to the state, or an item has a valid one.
    Committed {
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The usage of the accepted attempt.
        usage: &'a Usage,
        /// The duration of the accepted attempt.
        elapsed: Duration,
    },
    /// A task: an item of a for-each task has no output.
    ItemFailed {
        /// The number of the item.
        item: usize,
        /// The reason in words.
        reason: &'a str,
    },
    /// A task: the model chose a transition.
    Transitioned {
        /// The target.
        go_to: &'a str,
        /// The usage of the accepted attempt.
        usage: &'a Usage,
        /// The duration of the accepted attempt.
        elapsed: Duration,
    },
    /// A task: a branch of it ended.
    BranchEnded {
        /// The first task of the branch.
        branch: &'a str,
        /// How the branch ended.
        outcome: &'a BranchOutcome,
    },
    /// A task: the run waits for a person's answer.
    Asked(&'a Question),
    /// A task: it waits for a timer.
    Waiting(Duration),
    /// A task: a model calls a tool. The call may be refused.
    ToolCalled {
        /// The number of the call within the visit of the task, from 1.
        call: u32,
        /// The name of the tool.
        tool: &'a str,
    },
    /// A task: a tool call was answered, or refused.
    ToolReturned {
        /// The number of the call within the visit of the task, from 1.
        call: u32,
        /// The name of the tool.
        tool: &'a str,
        /// Whether the model receives a result, not an error.
        is_ok: bool,
        /// The duration of the call.
        elapsed: Duration,
    },
    /// A run: it is paused between two tasks.
    Paused,
    /// A run: its state was changed from outside.
    StateUpdated,
}

/// How a span ends.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum SpanEnd<'a> {
    /// The run ended.
    Run {
        /// How it ended.
        how: EndKind,
        /// The task at which it ended.
        task: &'a str,
        /// The reason in words, for a run that failed or halted. It can quote the replies of models.
        why: &'a str,
        /// The kind of the reason for which a run halted, as [`HaltReason::name`](cot_engine::HaltReason::name) has it;
        /// empty for another end.
        reason: &'static str,
        /// The number of tasks that were started.
        steps: u64,
        /// The usage of all its calls, also of those in other drivers.
        usage: &'a Usage,
    },
    /// The run waits in its store, and its worker dropped it from memory.
    Parked,
    /// The run was stopped with an error, such as one of its store.
    RunError(&'a RunError),
    /// The run leaves the task, after success or failure.
    Task {
        /// The next task; `None` if the process ends here.
        next: Option<&'a str>,
        /// The reason for the next task.
        route: Route,
    },
    /// The attempt was accepted.
    Accepted,
    /// The attempt failed.
    Failed(&'a Attempt),
    /// The call was answered by this event: [`Replied`](Event::Replied), [`Failed`](Event::Failed),
    /// [`Ran`](Event::Ran), [`Answered`](Event::Answered), [`TimedOut`](Event::TimedOut) or
    /// [`Cancelled`](Event::Cancelled), if nothing answers.
    Call(&'a Event),
    /// The entries were written, or could not be.
    Commit(Result<(), &'a StoreError>),
    /// What the span covers was dropped before its end: the run or the call was cancelled, another branch or item has
    /// decided the result, or the future of the run was dropped.
    Dropped,
}
