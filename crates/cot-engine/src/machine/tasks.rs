//! Conversions between task indexes and the task type of a process.

use std::convert::Infallible;

use crate::{
    process::{process::Process, tables::TaskIndex, types::TaskId},
    protocol::directive::Directive,
    values::outcome::{Ending, map_ending},
};

/// Returns the task at an index that is generated or was validated with a snapshot.
pub(super) fn task_from_index<P: Process>(index: TaskIndex) -> P::Task {
    P::Task::ALL[index]
}

/// Converts a directive to the task type of a process.
pub fn typed_directive<P: Process>(directive: Directive) -> Directive<P::Task> {
    directive.with_task(task_from_index::<P>)
}

/// Returns the index of a task.
pub(super) fn task_index<P: Process>(task: P::Task) -> TaskIndex {
    // `ALL` contains every task, so the default is never used.
    P::Task::ALL.iter().position(|other| *other == task).unwrap_or_default()
}

pub(super) fn typed_ending<P: Process>(ending: Ending<TaskIndex>) -> Ending<P::Task> {
    let Ok(typed) = map_ending(ending, |task| Ok::<_, Infallible>(task_from_index::<P>(task)));
    typed
}
