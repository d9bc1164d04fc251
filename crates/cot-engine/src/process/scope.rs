//! The scope that templates, guards and updates receive.

use std::{fmt, sync::Arc};

use crate::{
    process::{call_place::CallPlace, types::ProcessTypes},
    values::{history::History, inputs::Inputs},
};
use cot_template::{Newlines, PartError, PartSource};

/// The scope of a template or a guard of process `P`.
///
/// A function `fn(&Scope<P>) -> String` can be used wherever a template can. One that reads the context of the
/// process takes a [`Cx`](crate::process::context::Cx) instead, as functions do that do more than write a text.
/// It dereferences to a scope.
pub struct Scope<'a, P: ProcessTypes> {
    /// The state.
    pub state: &'a P::State,
    /// The goal of the run; empty when it has none.
    pub goal: &'a str,
    /// The current task.
    pub task: &'static About,
    /// The process.
    pub process: &'static About,
    /// The history so far.
    pub history: &'a History,
    /// The inputs of the task, if it takes any.
    pub inputs: Option<&'a Inputs>,
    /// The number of the item in a for-each task, from 0.
    pub item: Option<usize>,
    /// The last committed output, of any task. It is kept only if the declaration contains something that can
    /// read it: an expression with `last_output`, a template function of the scope, or a mock of the process. A
    /// template function of the context does not receive it.
    pub last_output: Option<&'a P::Output>,
    /// The writer of the standard parts, while a prompt is written.
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
    /// Returns parts of the prompt, joined in the given order: `intro`, `goal`, `history`, `errors`, `prompt`
    /// (the task's own), `transitions`, `output`, and the parts of `prompts`. Each part includes its primer;
    /// a part without content is empty. For the goal without its primer use [`goal`](Scope::goal). Images and
    /// documents are not sent from such a text: it contains a placeholder for each.
    ///
    /// # Errors
    ///
    /// If there is no part with such a name, a part contains itself, a template fails, or no prompt is being
    /// written.
    ///
    /// ```
    /// use cot_core::{Newlines, Process, Scope};
    ///
    /// # #[allow(dead_code, reason = "no process is declared here")]
    /// fn opening<P: Process>(scope: &Scope<P>) -> String {
    ///     let parts = scope.prompt_part(&["intro", "goal"], Newlines::Keep);
    ///     parts.unwrap_or_else(|error| format!("({error})"))
    /// }
    /// ```
    pub fn prompt_part(&self, names: &[&str], newlines: Newlines) -> Result<String, PartError> {
        let source = self.parts.ok_or(PartError::NoPrompt)?;
        let mut writer = source.writer();
        for name in names {
            let before = writer.written();
            if before > 0 && newlines == Newlines::Keep {
                writer.write_text("\n\n");
            }
            let start = writer.written();
            source.write_part(name, &mut writer)?;
            if writer.written() == start {
                writer.truncate(before);
            }
        }
        Ok(writer.finish())
    }
}

/// The scope of a visit without the state, as the untyped engine passes it.
#[derive(Clone, Copy)]
pub(crate) struct ScopeData<'a> {
    pub(crate) goal: &'a str,
    pub(crate) task: &'static About,
    pub(crate) process: &'static About,
    pub(crate) history: &'a Arc<History>,
    pub(crate) inputs: Option<&'a Inputs>,
    /// The number of the item in a for-each task.
    pub(crate) item: Option<usize>,
    /// The writer of the standard parts, while a prompt is written.
    pub(crate) parts: Option<&'a dyn PartSource>,
    pub(crate) call: CallPlace<'a>,
}

impl<'a> ScopeData<'a> {
    /// Returns the scope, completed by the state and the last committed output.
    pub(crate) fn scope<P: ProcessTypes>(
        &self,
        state: &'a P::State,
        last_output: Option<&'a P::Output>,
    ) -> Scope<'a, P> {
        let Self { goal, task, process, history, inputs, item, parts, .. } = *self;
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

/// The name, title and description of a task or a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The name in the declaration.
    pub name: &'static str,
    /// The title; by default the name.
    pub title: &'static str,
    /// The description; by default the title.
    pub description: &'static str,
}
