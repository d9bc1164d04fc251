//! The difference between the version of a process that stored a run and the present one.

use super::{
    conflict::Change,
    fingerprint::{Fingerprint, Hashes, PROCESS},
};

/// The difference between the version of a process that stored a run and the present one, by name: see
/// [`Migration::difference`](crate::Migration::difference).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionDifference {
    added_tasks: Vec<String>,
    removed_tasks: Vec<String>,
    changed_tasks: Vec<String>,
    types: Vec<String>,
    prompts: Vec<String>,
}

impl VersionDifference {
    pub(crate) fn between(old: &Fingerprint, new: &Fingerprint) -> Self {
        let mut difference = Self::default();
        for (task, change) in changes(&old.graph, &new.graph).filter(|(name, _)| *name != PROCESS) {
            let tasks = match change {
                Change::Added => &mut difference.added_tasks,
                Change::Removed => &mut difference.removed_tasks,
                Change::Changed => &mut difference.changed_tasks,
            };
            tasks.push(task.to_owned());
        }
        let is_in_both =
            |task: &&str| old.graph.contains_key(*task) && new.graph.contains_key(*task);
        let changed = |old, new| changes(old, new).map(|(name, _)| name).filter(is_in_both);
        for task in changed(&old.schemas, &new.schemas) {
            if !difference.changed_tasks.iter().any(|known| known == task) {
                difference.changed_tasks.push(task.to_owned());
            }
        }
        difference.changed_tasks.sort();
        let prompts = changed(&old.prompts, &new.prompts).filter(|task| *task != PROCESS);
        difference.prompts = prompts.map(str::to_owned).collect();
        let types = changes(&old.state, &new.state).map(|(name, _)| name.to_owned());
        difference.types = types.collect();
        difference
    }

    /// Returns the tasks that only the present version has.
    #[must_use]
    pub fn added_tasks(&self) -> &[String] {
        &self.added_tasks
    }

    /// Returns the tasks that only the stored version has.
    #[must_use]
    pub fn removed_tasks(&self) -> &[String] {
        &self.removed_tasks
    }

    /// Returns the tasks of both versions that have another kind, other routes, or another schema of their
    /// output or inputs.
    #[must_use]
    pub fn changed_tasks(&self) -> &[String] {
        &self.changed_tasks
    }

    /// Returns the tasks of both versions whose texts have changed.
    #[must_use]
    pub fn reworded_tasks(&self) -> &[String] {
        &self.prompts
    }

    /// Returns the types of the state that are new, no longer exist, or have changed.
    #[must_use]
    pub fn types(&self) -> &[String] {
        &self.types
    }

    /// Returns whether a type of this name, without its path, is new in the state, no longer exists in it, or
    /// has changed.
    #[must_use]
    pub fn has_type(&self, name: &str) -> bool {
        self.types.iter().any(|changed| changed == name)
    }
}

/// Returns the names that differ between two tables, in order.
pub(crate) fn changes<'a>(
    old: &'a Hashes,
    new: &'a Hashes,
) -> impl Iterator<Item = (&'a str, Change)> {
    let added = new.keys().filter(|name| !old.contains_key(*name));
    let added = added.map(|name| (&**name, Change::Added));
    let others = old.iter().filter_map(|(name, hash)| match new.get(name) {
        None => Some((&**name, Change::Removed)),
        Some(other) if other != hash => Some((&**name, Change::Changed)),
        Some(_) => None,
    });
    let mut all: Vec<_> = added.chain(others).collect();
    all.sort();
    all.into_iter()
}
