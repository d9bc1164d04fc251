//! What happened inside a run, for those who watch it.

use std::{fmt, sync::Arc, time::Duration};

use crate::{Attempt, Process, Usage, model::ModelRequest};

/// Something that happened in a run.
#[non_exhaustive]
pub enum RunEvent<P: Process> {
    /// A task began.
    TaskStarted {
        /// The task.
        task: P::Task,
        /// How many times the run has now come to any task that does something, from 1.
        step: u64,
    },
    /// A prompt is about to be sent.
    Prompt {
        /// The task.
        task: P::Task,
        /// The attempt, from 1.
        attempt: u32,
        /// What is asked.
        request: Arc<ModelRequest>,
    },
    /// A reply was not accepted.
    AttemptFailed {
        /// The task.
        task: P::Task,
        /// What was said and what is wrong with it.
        attempt: Attempt,
        /// Whether the task asks again.
        will_retry: bool,
    },
    /// An output was accepted and written into the state.
    Committed {
        /// The task.
        task: P::Task,
        /// The output.
        output: P::Output,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// A model chose where to go.
    Transitioned {
        /// The task that chose.
        task: P::Task,
        /// Where it goes.
        go_to: P::Task,
        /// What the model means to do.
        intent: String,
        /// What the model means to do after that.
        step_after: String,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// The run waits at a task boundary.
    Paused,
    /// The run is over.
    Finished {
        /// How it ended.
        outcome: P::Outcome,
        /// What all its calls consumed.
        usage: Usage,
        /// How long they took together.
        elapsed: Duration,
    },
}

// By hand, since a derived one would demand the same of the process.
impl<P: Process> Clone for RunEvent<P> {
    fn clone(&self) -> Self {
        match self {
            Self::TaskStarted { task, step } => Self::TaskStarted { task: *task, step: *step },
            Self::Prompt { task, attempt, request } => {
                Self::Prompt { task: *task, attempt: *attempt, request: Arc::clone(request) }
            }
            Self::AttemptFailed { task, attempt, will_retry } => Self::AttemptFailed {
                task: *task,
                attempt: attempt.clone(),
                will_retry: *will_retry,
            },
            Self::Committed { task, output, usage, elapsed } => {
                let (task, output) = (*task, output.clone());
                Self::Committed { task, output, usage: *usage, elapsed: *elapsed }
            }
            Self::Transitioned { task, go_to, intent, step_after, usage, elapsed } => {
                Self::Transitioned {
                    task: *task,
                    go_to: *go_to,
                    intent: intent.clone(),
                    step_after: step_after.clone(),
                    usage: *usage,
                    elapsed: *elapsed,
                }
            }
            Self::Paused => Self::Paused,
            Self::Finished { outcome, usage, elapsed } => {
                Self::Finished { outcome: outcome.clone(), usage: *usage, elapsed: *elapsed }
            }
        }
    }
}

impl<P: Process> fmt::Debug for RunEvent<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TaskStarted { task, step } => {
                f.debug_struct("TaskStarted").field("task", task).field("step", step).finish()
            }
            Self::Prompt { task, attempt, request } => f
                .debug_struct("Prompt")
                .field("task", task)
                .field("attempt", attempt)
                .field("bytes", &request.prompt().len())
                .finish(),
            Self::AttemptFailed { task, attempt, will_retry } => f
                .debug_struct("AttemptFailed")
                .field("task", task)
                .field("attempt", attempt)
                .field("will_retry", will_retry)
                .finish(),
            Self::Committed { task, output, usage, elapsed } => f
                .debug_struct("Committed")
                .field("task", task)
                .field("output", output)
                .field("usage", usage)
                .field("elapsed", elapsed)
                .finish(),
            Self::Transitioned { task, go_to, intent, step_after, usage, elapsed } => f
                .debug_struct("Transitioned")
                .field("task", task)
                .field("go_to", go_to)
                .field("intent", intent)
                .field("step_after", step_after)
                .field("usage", usage)
                .field("elapsed", elapsed)
                .finish(),
            Self::Paused => f.write_str("Paused"),
            Self::Finished { outcome, usage, elapsed } => {
                let mut shown = f.debug_struct("Finished");
                shown.field("outcome", outcome).field("usage", usage).field("elapsed", elapsed);
                shown.finish()
            }
        }
    }
}
