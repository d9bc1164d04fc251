//! Renames a task in a snapshot.

use super::{
    data::{PositionData, Snapshot},
    fingerprint::Hashes,
};
use crate::values::outcome::{Ending, Halt};

impl Snapshot {
    /// Renames a task. A visit that has begun keeps the name in the keys of its calls.
    pub(super) fn rename_task(&mut self, from: &str, to: &str) {
        let rename = |name: &mut String| {
            if *name == from {
                to.clone_into(name);
            }
        };
        self.position.rename_task(from, to, self.is_answered);
        self.callers.iter_mut().for_each(|caller| rename(&mut caller.task));
        self.last_output.iter_mut().for_each(|last| rename(&mut last.task));
        self.last_failure.iter_mut().for_each(|halt| rename(&mut halt.task));
        self.out_of_budget.iter_mut().for_each(rename);
        if let Some(count) = self.visits.remove(from) {
            self.visits.insert(to.to_owned(), count);
        }
        let stored = self.fingerprint.to_mut();
        for hashes in [&mut stored.graph, &mut stored.prompts, &mut stored.schemas] {
            rename_key(hashes, from, to);
        }
    }
}

impl PositionData {
    /// Renames a task. `is_answered` says whether calls of a task at which the run is have been answered since.
    fn rename_task(&mut self, from: &str, to: &str, is_answered: bool) {
        if let Self::Branches { branches, .. } = self {
            for branch in branches {
                branch.position.rename_task(from, to, is_answered);
                let callers = branch.callers.iter_mut().map(|caller| &mut caller.task);
                for name in callers.chain([&mut branch.branch]).filter(|name| **name == from) {
                    to.clone_into(name);
                }
            }
        }
        let has_begun = is_answered || !matches!(self, Self::At { .. } | Self::Waiting { .. });
        match self {
            Self::At { arrival: visit, .. }
            | Self::Waiting { arrival: visit, .. }
            | Self::Calling { visit, .. }
            | Self::CallingTools { visit, .. }
            | Self::Each { visit, .. }
            | Self::Running { visit, .. }
            | Self::Asking { visit, .. }
            | Self::Within { visit, .. }
            | Self::Branches { visit, .. } => {
                if visit.task == from {
                    to.clone_into(&mut visit.task);
                    visit.key = visit.key.take().or_else(|| has_begun.then(|| from.to_owned()));
                }
            }
            Self::Finished(ending) => match ending {
                Ending::End(task)
                | Ending::Fail(task, _)
                | Ending::RanOut(task)
                | Ending::Halted(Halt { task, .. }) => {
                    if task == from {
                        to.clone_into(task);
                    }
                }
            },
        }
    }
}

fn rename_key(hashes: &mut Hashes, from: &str, to: &str) {
    if let Some(hash) = hashes.remove(from) {
        hashes.insert(to.to_owned(), hash);
    }
}
