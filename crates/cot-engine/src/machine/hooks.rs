//! Hooks: user functions that run around a commit.

use std::{fmt, ops::Deref, sync::Arc};

use cot_schema::Issues;
use serde::Serialize;

use crate::{
    machine::tasks::task_from_index,
    process::{context::Cx, process::Process, tables::TaskIndex, types::ProcessTypes},
    values::{catch::catch_panic, history::HistoryEntry},
};

/// An output that has passed its checks and is about to be committed, as hooks receive it.
///
/// A hook can reject the output with issues, which are returned to the model like those of a `check`. It can
/// replace the output, add updates of the state, and add entries to the history. Changes by a hook are not
/// checked again.
///
/// It dereferences to the [`Cx`] of the task, whose state is the one before the commit.
#[non_exhaustive]
pub struct BeforeCommit<'a, P: Process> {
    /// The task that made the output.
    pub task: P::Task,
    /// The output. A replacement must belong to the same task.
    pub output: P::Output,
    cx: Cx<'a, P>,
    updates: Vec<StateUpdate<P>>,
    entries: Vec<HistoryEntry>,
}

/// A change of the state that a hook adds.
pub(super) type StateUpdate<P> = Box<dyn FnOnce(&mut <P as ProcessTypes>::State) + Send + Sync>;

impl<P: Process> BeforeCommit<'_, P> {
    /// Adds a change of the state. It is applied together with the task's own updates, atomically.
    pub fn update(&mut self, change: impl FnOnce(&mut P::State) + Send + Sync + 'static) {
        self.updates.push(Box::new(change));
    }

    /// Adds an entry to the history, before the entry of the output.
    ///
    /// # Errors
    ///
    /// If the entry does not serialize to JSON.
    pub fn add_history<T: Serialize + ?Sized>(&mut self, entry: &T) -> serde_json::Result<()> {
        self.entries.push(HistoryEntry::from_serialize(entry)?);
        Ok(())
    }
}

impl<P: Process> fmt::Debug for BeforeCommit<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BeforeCommit")
            .field("task", &self.task)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

/// A committed output, before the run continues, as hooks receive it.
///
/// It dereferences to the [`Cx`] of the task, whose state is the one after the commit.
#[derive(Debug)]
#[non_exhaustive]
pub struct AfterCommit<'a, P: Process> {
    /// The task that made the output.
    pub task: P::Task,
    /// The output.
    pub output: &'a P::Output,
    pub(super) cx: Cx<'a, P>,
}

impl<'a, P: Process> Deref for BeforeCommit<'a, P> {
    type Target = Cx<'a, P>;

    fn deref(&self) -> &Self::Target {
        &self.cx
    }
}

impl<'a, P: Process> Deref for AfterCommit<'a, P> {
    type Target = Cx<'a, P>;

    fn deref(&self) -> &Self::Target {
        &self.cx
    }
}

type BeforeHook<P> = Arc<dyn Fn(&mut BeforeCommit<'_, P>) -> Result<(), Issues> + Send + Sync>;
type AfterHook<P> = Arc<dyn Fn(&AfterCommit<'_, P>) + Send + Sync>;

/// The hooks of a run, called in the order in which they were added.
pub struct Hooks<P: Process> {
    before: Vec<BeforeHook<P>>,
    after: Vec<AfterHook<P>>,
}

/// An output after the hooks, with their additions.
pub(super) struct PreparedCommit<P: Process> {
    pub(super) output: P::Output,
    pub(super) updates: Vec<StateUpdate<P>>,
    pub(super) entries: Vec<HistoryEntry>,
}

impl<P: Process> Hooks<P> {
    /// Adds a hook that runs before each commit.
    pub fn add_before(
        &mut self,
        hook: impl Fn(&mut BeforeCommit<'_, P>) -> Result<(), Issues> + Send + Sync + 'static,
    ) {
        self.before.push(Arc::new(hook));
    }

    /// Adds a hook that runs after each commit.
    pub fn add_after(&mut self, hook: impl Fn(&AfterCommit<'_, P>) + Send + Sync + 'static) {
        self.after.push(Arc::new(hook));
    }

    pub(super) const fn has_before(&self) -> bool {
        !self.before.is_empty()
    }

    pub(super) const fn has_after(&self) -> bool {
        !self.after.is_empty()
    }

    /// Runs every hook before a commit. Returns the issues of all of them.
    pub(super) fn run_before(
        &self,
        task: TaskIndex,
        output: P::Output,
        cx: Cx<'_, P>,
    ) -> Result<PreparedCommit<P>, Issues> {
        let kind = std::mem::discriminant(&output);
        let task = task_from_index::<P>(task);
        let (updates, entries) = (Vec::new(), Vec::new());
        let mut commit = BeforeCommit { task, output, cx, updates, entries };
        let mut issues = Issues::new();
        for hook in &self.before {
            if let Err(found) = hook(&mut commit) {
                issues.extend(found);
            }
        }
        if std::mem::discriminant(&commit.output) != kind {
            issues.push("$", format!("a hook replaced the output of `{task}` by another task's"));
        }
        issues.into_result()?;
        let BeforeCommit { output, updates, entries, .. } = commit;
        Ok(PreparedCommit { output, updates, entries })
    }

    /// Runs every hook after a commit. A panic in a hook affects neither the run nor the other hooks.
    pub(super) fn run_after(&self, commit: &AfterCommit<'_, P>) {
        for hook in &self.after {
            let _ = catch_panic(|| hook(commit));
        }
    }
}

impl<P: Process> Default for Hooks<P> {
    fn default() -> Self {
        Self { before: Vec::new(), after: Vec::new() }
    }
}

impl<P: Process> Clone for Hooks<P> {
    fn clone(&self) -> Self {
        Self { before: self.before.clone(), after: self.after.clone() }
    }
}
