//! Conversions between types of events.

use std::convert::Infallible;

use crate::{
    process::{
        process::Process,
        types::{ProcessTypes, TaskId},
    },
    protocol::run_event::{
        any_output::AnyOutput,
        event::{ProcessEvent, RunEvent, TaskName},
    },
    values::outcome::map_ending,
};

impl<T, O> RunEvent<T, O> {
    /// Converts the tasks and the output of the event.
    #[must_use]
    pub fn map<U, V>(self, task: impl Fn(T) -> U, output: impl FnOnce(O) -> V) -> RunEvent<U, V> {
        let (task, output) = (|from| Ok(task(from)), |from| Ok(output(from)));
        let Ok(mapped) = self.try_map::<U, V, Infallible>(task, output);
        mapped
    }

    /// Converts the tasks and the output of the event with functions that can fail.
    ///
    /// # Errors
    ///
    /// The first error of `task` or `output`.
    #[expect(clippy::too_many_lines, reason = "one arm for each event")]
    pub(crate) fn try_map<U, V, E>(
        self,
        at: impl Fn(T) -> Result<U, E>,
        output_of: impl FnOnce(O) -> Result<V, E>,
    ) -> Result<RunEvent<U, V>, E> {
        Ok(match self {
            Self::TaskStarted { task, step } => RunEvent::TaskStarted { task: at(task)?, step },
            Self::Prompt { task, item, attempt, request } => {
                RunEvent::Prompt { task: at(task)?, item, attempt, request }
            }
            Self::RateLimited { task, item, attempt, wait } => {
                RunEvent::RateLimited { task: at(task)?, item, attempt, wait }
            }
            Self::Delta { task, item, attempt, text } => {
                RunEvent::Delta { task: at(task)?, item, attempt, text }
            }
            Self::Thought { task, item, attempt, text } => {
                RunEvent::Thought { task: at(task)?, item, attempt, text }
            }
            Self::Partial { task, item, attempt, partial } => {
                RunEvent::Partial { task: at(task)?, item, attempt, partial }
            }
            Self::Repaired { task, item, attempt, repairs } => {
                RunEvent::Repaired { task: at(task)?, item, attempt, repairs }
            }
            Self::Found { task, item, passages } => {
                RunEvent::Found { task: at(task)?, item, passages }
            }
            Self::ToolCalled { task, call, tool, arguments } => {
                RunEvent::ToolCalled { task: at(task)?, call, tool, arguments }
            }
            Self::ToolReturned { task, call, tool, result, elapsed } => {
                RunEvent::ToolReturned { task: at(task)?, call, tool, result, elapsed }
            }
            Self::AttemptFailed { task, attempt, will_retry } => {
                RunEvent::AttemptFailed { task: at(task)?, attempt, will_retry }
            }
            Self::ItemsStarted { task, items } => RunEvent::ItemsStarted { task: at(task)?, items },
            Self::ItemDone { task, item, output, usage, elapsed } => {
                let (task, output) = (at(task)?, output_of(output)?);
                RunEvent::ItemDone { task, item, output, usage, elapsed }
            }
            Self::ItemFailed { task, item, reason } => {
                RunEvent::ItemFailed { task: at(task)?, item, reason }
            }
            Self::BranchEnded { task, branch, outcome } => {
                RunEvent::BranchEnded { task: at(task)?, branch: at(branch)?, outcome }
            }
            Self::Asked { task, question } => RunEvent::Asked { task: at(task)?, question },
            Self::Waiting { task, duration } => RunEvent::Waiting { task: at(task)?, duration },
            Self::Committed { task, output, usage, elapsed } => {
                let (task, output) = (at(task)?, output_of(output)?);
                RunEvent::Committed { task, output, usage, elapsed }
            }
            Self::Transitioned { task, go_to, intent, step_after, times, usage, elapsed } => {
                let (task, go_to) = (at(task)?, at(go_to)?);
                RunEvent::Transitioned { task, go_to, intent, step_after, times, usage, elapsed }
            }
            Self::TaskFinished { task, next, route } => {
                let next = next.map(&at).transpose()?;
                RunEvent::TaskFinished { task: at(task)?, next, route }
            }
            Self::Nested { task, item, process, event } => {
                RunEvent::Nested { task: at(task)?, item, process, event }
            }
            Self::StateUpdated { task } => RunEvent::StateUpdated { task: at(task)? },
            Self::Paused => RunEvent::Paused,
            Self::Detached => RunEvent::Detached,
            Self::Finished { ending, usage, elapsed } => {
                RunEvent::Finished { ending: map_ending(ending, at)?, usage, elapsed }
            }
        })
    }

    /// Returns the output, if it is an event with one.
    pub(crate) const fn output(&self) -> Option<&O> {
        match self {
            Self::Committed { output, .. } | Self::ItemDone { output, .. } => Some(output),
            _ => None,
        }
    }

    /// Returns the event of sub-process `P`, with its types. `None` if the event is not from a sub-process,
    /// or not from `P`.
    #[must_use]
    pub fn nested<P: Process>(&self) -> Option<ProcessEvent<P>> {
        match self {
            Self::Nested { process, event, .. } if process == P::DEFINITION.about.name => {
                event.typed::<P>()
            }
            _ => None,
        }
    }
}

impl RunEvent<TaskName, AnyOutput> {
    /// Returns the event with the types of process `P`, or `None` if its tasks or output are not of `P`.
    #[must_use]
    pub fn typed<P: Process>(&self) -> Option<ProcessEvent<P>> {
        let task = |name: TaskName| {
            let mut tasks = P::Task::ALL.iter();
            tasks.find(|task| task.name() == name).copied().ok_or(())
        };
        let output =
            |output: AnyOutput| output.get::<<P as ProcessTypes>::Output>().cloned().ok_or(());
        self.clone().try_map(task, output).ok()
    }
}
