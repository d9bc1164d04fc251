//! Renames a task in a snapshot.

use super::data::{PositionData, Snapshot};
use crate::values::outcome::{Ending, Halt};

impl Snapshot {
    /// Renames a task. A visit that has begun keeps the name in the keys of its calls.
    pub(super) fn rename_task(&mut self, from: &str, to: &str) {
        self.position.rename_task(from, to, self.is_answered);
        let callers = self.callers.iter_mut().map(|caller| &mut caller.task);
        let last = self.last_output.iter_mut().map(|last| &mut last.task);
        let failed = self.last_failure.iter_mut().map(|halt| &mut halt.task);
        rename(callers.chain(last).chain(failed).chain(&mut self.out_of_budget), from, to);
        if let Some(count) = self.visits.remove(from) {
            self.visits.insert(to.to_owned(), count);
        }
        let stored = self.fingerprint.to_mut();
        for hashes in [&mut stored.graph, &mut stored.prompts, &mut stored.schemas] {
            if let Some(hash) = hashes.remove(from) {
                hashes.insert(to.to_owned(), hash);
            }
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
                rename(callers.chain([&mut branch.branch]), from, to);
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
                if visit.task == from && visit.key.is_none() && has_begun {
                    visit.key = Some(from.to_owned());
                }
                rename([&mut visit.task], from, to);
            }
            Self::Finished(
                Ending::End(task)
                | Ending::Fail(task, _)
                | Ending::RanOut(task)
                | Ending::Halted(Halt { task, .. }),
            ) => rename([task], from, to),
        }
    }
}

fn rename<'a>(names: impl IntoIterator<Item = &'a mut String>, from: &str, to: &str) {
    names.into_iter().filter(|name| **name == from).for_each(|name| to.clone_into(name));
}
