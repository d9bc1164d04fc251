//! The tasks and the sub-processes within a position.

use std::sync::Arc;

use crate::{
    snapshot::data::{PositionData, Snapshot},
    values::history::History,
};

impl PositionData {
    /// Returns the tasks at the positions of branches.
    pub(crate) fn branch_tasks(&self) -> Vec<&str> {
        let Self::Branches { branches, .. } = self else { return Vec::new() };
        let tasks = branches.iter().flat_map(|branch| {
            branch.position.branch_tasks().into_iter().chain([branch.position.task()])
        });
        tasks.collect()
    }

    /// Leaves out what branches see of the history of the run, from its first entry on.
    pub(crate) fn share_history(&mut self, whole: &History) {
        if let Self::Branches { branches, .. } = self {
            for branch in branches {
                branch.shared = branch.history.count_equal(whole);
                branch.history = Arc::new(branch.history.without_first(branch.shared));
                branch.position.share_history(whole);
            }
        }
    }

    /// Removes the callers of branches.
    pub(crate) fn clear_callers(&mut self) {
        if let Self::Branches { branches, .. } = self {
            for branch in branches {
                branch.callers.clear();
                branch.position.clear_callers();
            }
        }
    }

    /// Returns the sub-processes at the position, each with the task that runs it.
    pub(crate) fn processes(&self) -> Vec<(&str, &Snapshot)> {
        match self {
            Self::Within { visit, process, .. } => vec![(&*visit.task, &**process)],
            Self::Each { visit, pending, .. } => {
                let processes = pending.iter().filter_map(|pending| pending.process.as_deref());
                processes.map(|process| (&*visit.task, process)).collect()
            }
            Self::Branches { branches, .. } => {
                branches.iter().flat_map(|branch| branch.position.processes()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the sub-processes whose consumption the run has not counted yet.
    pub(crate) fn uncounted_processes(&self) -> Vec<&Snapshot> {
        match self {
            Self::Within { process, .. } => vec![process],
            Self::Branches { branches, .. } => {
                branches.iter().flat_map(|branch| branch.position.uncounted_processes()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Like [`processes`](Self::processes).
    pub(crate) fn processes_mut(&mut self) -> Vec<(&str, &mut Snapshot)> {
        match self {
            Self::Within { visit, process, .. } => vec![(&*visit.task, &mut **process)],
            Self::Each { visit, pending, .. } => {
                let task = &*visit.task;
                let pending = pending.iter_mut();
                let processes = pending.filter_map(|pending| pending.process.as_deref_mut());
                processes.map(|process| (task, process)).collect()
            }
            Self::Branches { branches, .. } => {
                branches.iter_mut().flat_map(|branch| branch.position.processes_mut()).collect()
            }
            _ => Vec::new(),
        }
    }
}
