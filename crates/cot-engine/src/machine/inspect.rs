//! Inspects the prompt of the current task without a model call.

use cot_model::ModelRequest;

use crate::{
    machine::{
        any_machine::{AnyMachine, RunParts},
        machine::{ActiveRun, Machine},
    },
    process::{host::ProcessHost, process::Process, scope::Scope},
    run::{
        inspect::{current_question, partial_prompt, prompt},
        run::Run,
    },
    values::{catch::catch_panic, panicked::describe_panic},
};
use cot_template::PartialPrompt;

/// The error of inspecting a prompt.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("the prompt can't be shown: {0}")]
pub struct PromptError(String);

impl<P: Process> Machine<P> {
    /// Returns the prompt of the current task without the omitted fragments. For a for-each task, returns the
    /// prompt of the first pending item.
    ///
    /// # Errors
    ///
    /// If the current task has no prompt, or a template fails.
    pub fn partial_prompt(&self, partial: &PartialPrompt) -> Result<String, PromptError> {
        inspect(self, |run, host| partial_prompt(run, partial, host))
    }

    /// Returns the model request of the current task, for the first attempt or the one in progress.
    ///
    /// # Errors
    ///
    /// If the current task does not ask a model, or a template fails.
    pub fn prompt(&self) -> Result<ModelRequest, PromptError> {
        inspect(self, prompt)
    }

    /// Calls `read` with the scope of the prompt of the current task: what its templates are written from. In a
    /// for-each task, it is that of the first pending item. Its [`prompt_part`](Scope::prompt_part) is an error;
    /// [`partial_prompt`](Self::partial_prompt) shows parts. Returns `None` if the current task has no prompt, as
    /// one that runs a sub-process.
    pub fn prompt_scope<R>(&self, read: impl FnOnce(&Scope<'_, P>) -> R) -> Option<R> {
        let ActiveRun { run, host, .. } = self.active.as_ref()?;
        let (visit, question) = catch_panic(|| current_question(run, host)).ok()?.ok()?;
        Some(read(&host.scope(&run.facts.scope(&visit, question.item))))
    }
}

fn inspect<T>(
    machine: &dyn AnyMachine,
    show: impl FnOnce(&Run, &dyn ProcessHost) -> Result<T, String>,
) -> Result<T, PromptError> {
    let parts = machine.parts();
    let RunParts { run, host } =
        parts.ok_or_else(|| PromptError("the machine has not been started".to_owned()))?;
    let shown = catch_panic(|| show(run, host));
    shown.unwrap_or_else(|payload| Err(describe_panic(&*payload))).map_err(PromptError)
}
