//! Tasks by number, and by the type that a process gives them.

use std::convert::Infallible;

use crate::{
    process::{process::Process, tables::TaskIndex, types::TaskId},
    values::outcome::{Ending, map_ending},
};

/// The task at an index that the macro made, or that a snapshot check has accepted.
pub(super) fn task_at<P: Process>(index: TaskIndex) -> P::Task {
    P::Task::ALL[index]
}

/// The index of a task.
pub(super) fn index_of<P: Process>(task: P::Task) -> TaskIndex {
    // `ALL` names every task; were one missing, it would be none of the others either.
    P::Task::ALL.iter().position(|other| *other == task).unwrap_or_default()
}

pub(super) fn typed_ending<P: Process>(ending: Ending<TaskIndex>) -> Ending<P::Task> {
    let Ok(typed) = map_ending(ending, |task| Ok::<_, Infallible>(task_at::<P>(task)));
    typed
}
