//! What templates, guards and updates see.

use std::fmt;

use crate::{History, Inputs, Process, prompt::PartSource};

/// What a template or a guard of process `P` sees.
///
/// A function `fn(&Scope<P>) -> String` may stand wherever a template may.
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
    /// The output that was committed last, by whatever task.
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
