//! What templates, guards and updates see.

use std::{fmt, ops::Deref};

use serde::Serialize;

use crate::{
    process::types::ProcessTypes,
    template::{
        part_source::PartSource,
        parts::{Newlines, PartError},
    },
    values::{
        history::{History, HistoryEntry},
        inputs::Inputs,
    },
};

/// What a template or a guard of process `P` sees.
///
/// A function `fn(&Scope<P>) -> String` may stand wherever a template may. The functions of `check` and
/// `process_output` may take a `&Scope<P>` as their last argument.
pub struct Scope<'a, P: ProcessTypes> {
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

impl<P: ProcessTypes> Clone for Scope<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ProcessTypes> Copy for Scope<'_, P> {}

impl<P: ProcessTypes> fmt::Debug for Scope<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("process", &self.process.name)
            .field("task", &self.task.name)
            .field("item", &self.item)
            .finish_non_exhaustive()
    }
}

impl<P: ProcessTypes> Scope<'_, P> {
    /// Parts of the prompt, put together in the order in which they are named: `intro`, `goal`,
    /// `history`, `errors`, `prompt` (the task's own), `transitions`, `output`, and those of
    /// `prompts`. Each has its primer; one that has nothing to say is empty. The goal alone is
    /// [`goal`](Scope::goal).
    ///
    /// # Errors
    ///
    /// When no part has such a name, when a part would contain itself, when its template fails, or
    /// when no prompt is being written.
    ///
    /// ```
    /// # #![allow(dead_code, reason = "no process is declared here")]
    /// use cot_core::{Newlines, Process, Scope};
    ///
    /// fn opening<P: Process>(scope: &Scope<P>) -> String {
    ///     let parts = scope.prompt_part(&["intro", "goal"], Newlines::Keep);
    ///     parts.unwrap_or_else(|error| format!("({error})"))
    /// }
    /// ```
    pub fn prompt_part(&self, names: &[&str], newlines: Newlines) -> Result<String, PartError> {
        let source = self.parts.ok_or(PartError::NoPrompt)?;
        let mut writer = source.writer();
        for name in names {
            let before = writer.len();
            if before > 0 && newlines == Newlines::Keep {
                writer.write_text("\n\n");
            }
            let start = writer.len();
            source.write_part(name, &mut writer)?;
            if writer.len() == start {
                writer.truncate(before);
            }
        }
        Ok(writer.finish())
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
pub struct CommitScope<'a, P: ProcessTypes> {
    scope: Scope<'a, P>,
    entries: Vec<HistoryEntry>,
}

impl<'a, P: ProcessTypes> CommitScope<'a, P> {
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

impl<'a, P: ProcessTypes> Deref for CommitScope<'a, P> {
    type Target = Scope<'a, P>;

    fn deref(&self) -> &Self::Target {
        &self.scope
    }
}

impl<P: ProcessTypes> fmt::Debug for CommitScope<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommitScope")
            .field("scope", &self.scope)
            .field("entries", &self.entries.len())
            .finish()
    }
}

/// What templates and guards see besides the state.
#[derive(Clone, Copy)]
pub(crate) struct ScopeData<'a> {
    pub(crate) goal: &'a str,
    pub(crate) task: &'static About,
    pub(crate) process: &'static About,
    pub(crate) history: &'a History,
    pub(crate) inputs: Option<&'a Inputs>,
    /// The item of a for-each task.
    pub(crate) item: Option<usize>,
    /// What writes the standard parts, while a prompt is written.
    pub(crate) parts: Option<&'a dyn PartSource>,
}

impl<'a> ScopeData<'a> {
    /// Returns the scope with the state and the output that was committed last.
    pub(crate) const fn scope<P: ProcessTypes>(
        &self,
        state: &'a P::State,
        last_output: Option<&'a P::Output>,
    ) -> Scope<'a, P> {
        let Self { goal, task, process, history, inputs, item, parts } = *self;
        Scope { state, goal, task, process, history, inputs, item, last_output, parts }
    }
}

impl fmt::Debug for ScopeData<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopeData")
            .field("task", &self.task.name)
            .field("item", &self.item)
            .finish_non_exhaustive()
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
