//! Tasks by number, and by the type that a process gives them.

use std::{convert::Infallible, fmt, sync::Arc};

use super::{RunEvent, typed::Notice};
use crate::{
    Process, TaskId,
    blueprint::TaskIndex,
    outcome::{Ending, map_ending},
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

/// Why a run came to no good end, if it didn't.
fn why<T: fmt::Display>(ending: &Ending<T>) -> Option<Arc<str>> {
    match ending {
        Ending::End(_) | Ending::RanOut(_) => None,
        Ending::Fail(_, why) => Some(Arc::from(why.as_str())),
        Ending::Halted(halt) => Some(Arc::from(halt.to_string())),
    }
}

pub(super) fn typed_event<P: Process>(
    notice: Notice<'_>,
    pending: &mut Option<P::Output>,
) -> Option<RunEvent<P>> {
    let at = task_at::<P>;
    Some(match notice {
        Notice::Started { task, step } => RunEvent::TaskStarted { task: at(task), step },
        Notice::Prompt { task, item, attempt, request } => {
            RunEvent::Prompt { task: at(task), item, attempt, request: Arc::clone(request) }
        }
        Notice::Repaired { task, item, attempt, repairs } => {
            let repairs = repairs.into_repairs();
            RunEvent::Repaired { task: at(task), item, attempt, repairs }
        }
        Notice::Failed { task, attempt, will_retry } => {
            RunEvent::AttemptFailed { task: at(task), attempt: attempt.clone(), will_retry }
        }
        Notice::ItemDone { task, item, usage, elapsed } => {
            RunEvent::ItemDone { task: at(task), item, usage, elapsed }
        }
        Notice::Asked { task, question } => {
            RunEvent::Asked { task: at(task), question: Arc::clone(question) }
        }
        Notice::Waiting { task, duration } => RunEvent::Waiting { task: at(task), duration },
        Notice::Committed { task, usage, elapsed, keeps } => {
            let output = if keeps { pending.clone() } else { pending.take() };
            RunEvent::Committed { task: at(task), output: output?, usage, elapsed }
        }
        Notice::Transitioned { task, go_to, intent, step_after, usage, elapsed } => {
            let (task, go_to) = (at(task), at(go_to));
            RunEvent::Transitioned { task, go_to, intent, step_after, usage, elapsed }
        }
        Notice::Left { task, next, route } => {
            RunEvent::TaskFinished { task: at(task), next: next.map(at), route }
        }
        Notice::Nested { task, event } => RunEvent::Nested { task: at(task), event },
        Notice::Finished { ending, usage, elapsed } => {
            let ending = typed_ending::<P>(ending.clone());
            let why = why(&ending);
            RunEvent::Finished { outcome: P::outcome(ending), why, usage, elapsed }
        }
    })
}
