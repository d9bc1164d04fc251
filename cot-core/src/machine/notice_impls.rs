//! `Clone` and `Debug` of events, by hand, since derived ones would demand the same of the process.

use std::fmt;

use super::RunEvent;
use crate::Process;

impl<P: Process> Clone for RunEvent<P> {
    fn clone(&self) -> Self {
        match self {
            Self::TaskStarted { task, step } => Self::TaskStarted { task: *task, step: *step },
            Self::Prompt { task, item, attempt, request } => {
                let request = request.clone();
                Self::Prompt { task: *task, item: *item, attempt: *attempt, request }
            }
            Self::Delta { task, item, attempt, text } => {
                Self::Delta { task: *task, item: *item, attempt: *attempt, text: text.clone() }
            }
            Self::Repaired { task, item, attempt, repairs } => {
                let (item, attempt, repairs) = (*item, *attempt, repairs.clone());
                Self::Repaired { task: *task, item, attempt, repairs }
            }
            Self::Partial { task, item, attempt, partial } => {
                let partial = partial.clone();
                Self::Partial { task: *task, item: *item, attempt: *attempt, partial }
            }
            Self::AttemptFailed { task, attempt, will_retry } => {
                let (attempt, will_retry) = (attempt.clone(), *will_retry);
                Self::AttemptFailed { task: *task, attempt, will_retry }
            }
            Self::ItemDone { task, item, usage, elapsed } => {
                Self::ItemDone { task: *task, item: *item, usage: *usage, elapsed: *elapsed }
            }
            Self::Asked { task, question } => {
                Self::Asked { task: *task, question: question.clone() }
            }
            Self::Waiting { task, duration } => Self::Waiting { task: *task, duration: *duration },
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
            Self::TaskFinished { task, next, route } => {
                Self::TaskFinished { task: *task, next: *next, route: *route }
            }
            Self::Nested { task, event } => Self::Nested { task: *task, event: event.clone() },
            Self::StateUpdated { task } => Self::StateUpdated { task: *task },
            Self::Paused => Self::Paused,
            Self::Finished { outcome, why, usage, elapsed } => {
                let (outcome, why) = (outcome.clone(), why.clone());
                Self::Finished { outcome, why, usage: *usage, elapsed: *elapsed }
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
            Self::Prompt { task, item, attempt, request } => f
                .debug_struct("Prompt")
                .field("task", task)
                .field("item", item)
                .field("attempt", attempt)
                .field("bytes", &request.prompt().len())
                .finish(),
            Self::Delta { task, item, attempt, text } => {
                of_call(f, "Delta", (task, item, attempt), ("text", text))
            }
            Self::Repaired { task, item, attempt, repairs } => {
                of_call(f, "Repaired", (task, item, attempt), ("repairs", repairs))
            }
            Self::Partial { task, item, attempt, partial } => {
                of_call(f, "Partial", (task, item, attempt), ("partial", partial))
            }
            Self::AttemptFailed { task, attempt, will_retry } => f
                .debug_struct("AttemptFailed")
                .field("task", task)
                .field("attempt", attempt)
                .field("will_retry", will_retry)
                .finish(),
            Self::ItemDone { task, item, usage, elapsed } => f
                .debug_struct("ItemDone")
                .field("task", task)
                .field("item", item)
                .field("usage", usage)
                .field("elapsed", elapsed)
                .finish(),
            Self::Asked { task, question } => {
                f.debug_struct("Asked").field("task", task).field("text", &question.text).finish()
            }
            Self::Waiting { task, duration } => {
                f.debug_struct("Waiting").field("task", task).field("duration", duration).finish()
            }
            Self::TaskFinished { task, next, route } => f
                .debug_struct("TaskFinished")
                .field("task", task)
                .field("next", next)
                .field("route", route)
                .finish(),
            Self::Nested { task, event } => {
                f.debug_struct("Nested").field("task", task).field("event", event).finish()
            }
            Self::StateUpdated { task } => {
                f.debug_struct("StateUpdated").field("task", task).finish()
            }
            Self::Paused => f.write_str("Paused"),
            Self::Committed { .. } | Self::Transitioned { .. } | Self::Finished { .. } => {
                self.fmt_result(f)
            }
        }
    }
}

impl<P: Process> RunEvent<P> {
    /// The events that say what came of something.
    fn fmt_result(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
            // The outcome says why.
            Self::Finished { outcome, why: _, usage, elapsed } => {
                let mut shown = f.debug_struct("Finished");
                shown.field("outcome", outcome).field("usage", usage).field("elapsed", elapsed);
                shown.finish()
            }
            _ => Ok(()),
        }
    }
}

/// Shows an event of one call: which call it was, and what came of it.
fn of_call(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    (task, item, attempt): (&dyn fmt::Debug, &Option<usize>, &u32),
    (field, value): (&str, &dyn fmt::Debug),
) -> fmt::Result {
    f.debug_struct(name)
        .field("task", task)
        .field("item", item)
        .field("attempt", attempt)
        .field(field, value)
        .finish()
}
