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

/// Calls a macro with the fields of each event: those that are tasks, the output, and the others.
macro_rules! for_each_event {
    ($do:ident, $($with:expr),*) => {
        $do! {
            ($($with),*)
            TaskStarted(task; ; step, visit)
            Prompt(task; ; item, attempt, request)
            StepsRunLow(task; ; steps, limit)
            RateLimited(task; ; item, attempt, wait)
            Delta(task; ; item, attempt, text)
            Thought(task; ; item, attempt, text)
            Partial(task; ; item, attempt, partial)
            Repaired(task; ; item, attempt, repairs)
            Found(task; ; item, passages)
            ToolCalled(task; ; call, tool, arguments)
            ToolReturned(task; ; call, tool, result, elapsed)
            AttemptFailed(task; ; attempt, will_retry)
            ItemsStarted(task; ; items)
            ItemDone(task; output; item, usage, elapsed)
            ItemFailed(task; ; item, reason)
            BranchEnded(task, branch; ; outcome)
            Asked(task; ; question)
            Waiting(task; ; duration)
            Committed(task; output; usage, elapsed)
            Transitioned(task, go_to; ; intent, step_after, times, usage, elapsed)
            Nested(task; ; item, attempt, process, event)
            StateUpdated(task; ;)
        }
    };
}

macro_rules! map_event {
    (($event:expr, $at:expr, $output_of:expr)
        $($name:ident($($task:ident),*; $($output:ident)?; $($other:ident),*))*) => {
        match $event {
            $(Self::$name { $($task,)* $($output,)? $($other),* } => RunEvent::$name {
                $($task: $at($task)?,)* $($output: $output_of($output)?,)? $($other),*
            },)*
            Self::TaskFinished { task, next, route } => {
                let next = next.map(&$at).transpose()?;
                RunEvent::TaskFinished { task: $at(task)?, next, route }
            }
            Self::Paused => RunEvent::Paused,
            Self::Detached => RunEvent::Detached,
            Self::Finished { ending, usage, elapsed } => {
                RunEvent::Finished { ending: map_ending(ending, $at)?, usage, elapsed }
            }
        }
    };
}

macro_rules! task_of {
    (($event:expr) $($name:ident($($field:ident),*; $($output:ident)?; $($other:ident),*))*) => {
        match $event {
            $(Self::$name { task, .. } |)* Self::TaskFinished { task, .. } => Some(task),
            Self::Paused | Self::Detached | Self::Finished { .. } => None,
        }
    };
}

impl<T, O> RunEvent<T, O> {
    /// Returns the task of the event; `None` for an event of the run as a whole.
    #[must_use]
    pub const fn task(&self) -> Option<&T> {
        for_each_event!(task_of, self)
    }

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
    pub(crate) fn try_map<U, V, E>(
        self,
        at: impl Fn(T) -> Result<U, E>,
        output_of: impl FnOnce(O) -> Result<V, E>,
    ) -> Result<RunEvent<U, V>, E> {
        Ok(for_each_event!(map_event, self, at, output_of))
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
