//! What templates, guards and updates see.

use std::{fmt, ops::Deref};

use serde::Serialize;

use crate::{
    engine::{
        process::process::Process,
        values::{
            history::{History, HistoryEntry},
            inputs::Inputs,
        },
    },
    prompt::PartSource,
};

/// What a template or a guard of process `P` sees.
///
/// A function `fn(&Scope<P>) -> String` may stand wherever a template may. The functions of `check` and
/// `process_output` may take a `&Scope<P>` as their last argument.
pub struct Scope<'a, P: Process> {
    /// The shared state.
    pub state: &'a P::State,
    /// The goal of the run; empty when it has none.
    pub goal: &'a str,
    /// The task that is being run.
    pub task: &'static About,
    /// The process.
    pub process: &'static About,
    /// What has happened so far.
    pub history: &'a History,
    /// What was delivered to the task, if it takes inputs.
    pub inputs: Option<&'a Inputs>,
    /// The number of the item in a for-each task, from 0.
    pub item: Option<usize>,
    /// The output that was committed last, by whatever task. It is kept only where the process declares
    /// something that may read it: an expression that says `last_output`, a template function, or a mock
    /// of the process.
    pub last_output: Option<&'a P::Output>,
    /// Writes the standard parts of the prompt, while one is written.
    pub(crate) parts: Option<&'a dyn PartSource>,
}

impl<P: Process> Clone for Scope<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Process> Copy for Scope<'_, P> {}

impl<P: Process> fmt::Debug for Scope<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("process", &self.process.name)
            .field("task", &self.task.name)
            .field("item", &self.item)
            .finish_non_exhaustive()
    }
}

/// What a `process_output` function sees, and can add to the history: it may take a
/// `&mut CommitScope<P>` as its last argument in the place of a `&Scope<P>`.
///
/// The state is the one before the output is committed.
///
/// ```
/// use cot_core::{CommitScope, prelude::*};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Note { pub text: String }
/// # #[derive(Debug, Clone, Default, Serialize, Deserialize)]
/// # pub struct Notes { pub notes: Vec<String> }
///
/// cot_process! {
///     process Diary {
///         state: Notes,
///         task write -> Note { process_output: keep, next: done }
///         task done { end }
///     }
/// }
///
/// fn keep(note: &Note, state: &mut Notes, scope: &mut CommitScope<Diary>) -> Result<(), Issues> {
///     state.notes.push(note.text.clone());
///     let entry = format!("{} notes for the goal {:?}", state.notes.len(), scope.goal);
///     scope.add_history(&entry).map_err(|error| Issues::at("$", error.to_string()))
/// }
/// # let _ = Diary::runner();
/// ```
pub struct CommitScope<'a, P: Process> {
    scope: Scope<'a, P>,
    entries: Vec<HistoryEntry>,
}

impl<'a, P: Process> CommitScope<'a, P> {
    pub(crate) const fn new(scope: Scope<'a, P>) -> Self {
        Self { scope, entries: Vec::new() }
    }

    /// Adds an entry to the history, before the one of the output itself. It is added together with
    /// the output: not at all where the function returns issues.
    ///
    /// # Errors
    ///
    /// When the entry can't be JSON.
    pub fn add_history<T: Serialize + ?Sized>(&mut self, entry: &T) -> serde_json::Result<()> {
        self.entries.push(HistoryEntry::of(entry)?);
        Ok(())
    }

    pub(crate) fn into_entries(self) -> Vec<HistoryEntry> {
        self.entries
    }
}

impl<'a, P: Process> Deref for CommitScope<'a, P> {
    type Target = Scope<'a, P>;

    fn deref(&self) -> &Self::Target {
        &self.scope
    }
}

impl<P: Process> fmt::Debug for CommitScope<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommitScope")
            .field("scope", &self.scope)
            .field("entries", &self.entries.len())
            .finish()
    }
}

/// The words that name and describe a task or a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Its name in the declaration.
    pub name: &'static str,
    /// Its title; its name when it has none.
    pub title: &'static str,
    /// Its description; its title when it has none.
    pub description: &'static str,
}
