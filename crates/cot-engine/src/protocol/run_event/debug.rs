//! `Debug` of run events, without prompts and schemas, which are long.

use std::fmt;

use crate::protocol::run_event::event::RunEvent;

impl<T: fmt::Debug, O: fmt::Debug> fmt::Debug for RunEvent<T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TaskStarted { task, step } => {
                f.debug_struct("TaskStarted").field("task", task).field("step", step).finish()
            }
            Self::Prompt { task, item, attempt, request } => {
                let bytes = request.prompt().len();
                fmt_call(f, "Prompt", (task, item, attempt), ("bytes", &bytes))
            }
            Self::RateLimited { task, item, attempt, wait } => {
                fmt_call(f, "RateLimited", (task, item, attempt), ("wait", wait))
            }
            Self::Delta { task, item, attempt, text } => {
                fmt_call(f, "Delta", (task, item, attempt), ("text", text))
            }
            Self::Thought { task, item, attempt, text } => {
                fmt_call(f, "Thought", (task, item, attempt), ("text", text))
            }
            Self::Repaired { task, item, attempt, repairs } => {
                fmt_call(f, "Repaired", (task, item, attempt), ("repairs", repairs))
            }
            Self::Partial { task, item, attempt, partial } => {
                fmt_call(f, "Partial", (task, item, attempt), ("partial", partial))
            }
            Self::Asked { task, question } => {
                f.debug_struct("Asked").field("task", task).field("text", &question.text).finish()
            }
            Self::TaskFinished { task, next, route } => f
                .debug_struct("TaskFinished")
                .field("task", task)
                .field("next", next)
                .field("route", route)
                .finish(),
            Self::Nested { task, item, process, event } => f
                .debug_struct("Nested")
                .field("task", task)
                .field("item", item)
                .field("event", &format_args!("{process}::{event:?}"))
                .finish(),
            Self::Paused => f.write_str("Paused"),
            Self::Detached => f.write_str("Detached"),
            Self::ToolCalled { .. }
            | Self::ToolReturned { .. }
            | Self::AttemptFailed { .. }
            | Self::ItemsStarted { .. }
            | Self::ItemDone { .. }
            | Self::ItemFailed { .. }
            | Self::BranchEnded { .. } => self.fmt_part(f),
            Self::Waiting { .. }
            | Self::StateUpdated { .. }
            | Self::Committed { .. }
            | Self::Transitioned { .. }
            | Self::Finished { .. } => self.fmt_result(f),
        }
    }
}

impl<T: fmt::Debug, O: fmt::Debug> RunEvent<T, O> {
    /// Formats the events of attempts, items, branches and tool calls.
    fn fmt_part(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AttemptFailed { task, attempt, will_retry } => f
                .debug_struct("AttemptFailed")
                .field("task", task)
                .field("attempt", attempt)
                .field("will_retry", will_retry)
                .finish(),
            Self::ItemsStarted { task, items } => {
                f.debug_struct("ItemsStarted").field("task", task).field("items", items).finish()
            }
            Self::ItemFailed { task, item, reason } => f
                .debug_struct("ItemFailed")
                .field("task", task)
                .field("item", item)
                .field("reason", reason)
                .finish(),
            Self::ItemDone { task, item, output, usage, elapsed } => f
                .debug_struct("ItemDone")
                .field("task", task)
                .field("item", item)
                .field("output", output)
                .field("usage", usage)
                .field("elapsed", elapsed)
                .finish(),
            Self::ToolCalled { task, call, tool, arguments } => f
                .debug_struct("ToolCalled")
                .field("task", task)
                .field("call", call)
                .field("tool", tool)
                .field("arguments", arguments)
                .finish(),
            Self::ToolReturned { task, call, tool, result, elapsed } => f
                .debug_struct("ToolReturned")
                .field("task", task)
                .field("call", call)
                .field("tool", tool)
                .field("result", result)
                .field("elapsed", elapsed)
                .finish(),
            Self::BranchEnded { task, branch, outcome } => f
                .debug_struct("BranchEnded")
                .field("task", task)
                .field("branch", branch)
                .field("outcome", outcome)
                .finish(),
            _ => Ok(()),
        }
    }

    /// Formats the events of waiting, of a result and of a change of the state.
    fn fmt_result(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waiting { task, duration } => {
                f.debug_struct("Waiting").field("task", task).field("duration", duration).finish()
            }
            Self::StateUpdated { task } => {
                f.debug_struct("StateUpdated").field("task", task).finish()
            }
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
            Self::Finished { ending, usage, elapsed } => {
                let mut shown = f.debug_struct("Finished");
                shown.field("ending", ending).field("usage", usage).field("elapsed", elapsed);
                shown.finish()
            }
            _ => Ok(()),
        }
    }
}

/// Formats an event of one call: the call and one more field.
fn fmt_call(
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
