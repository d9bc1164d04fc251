//! Inspects the prompt of the current task without a model call.

use cot_model::ModelRequest;

use crate::{
    machine::{host::TypedHost, machine::Machine},
    process::process::Process,
    protocol::directive::Directive,
    run::{
        inspect::{partial_prompt, prompt},
        run::Run,
    },
    template::partial::PartialPrompt,
    values::{catch::catch_panic, panicked::describe_panic},
};

/// The error of inspecting a prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
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
        self.inspect(|run, host| partial_prompt(run, partial, host))
    }

    /// Returns the model request of the current task, for the first attempt or the one in progress.
    ///
    /// # Errors
    ///
    /// If the current task does not ask a model, or a template fails.
    pub fn prompt(&self) -> Result<ModelRequest, PromptError> {
        self.inspect(|run, host| prompt(run, host))
    }

    /// Returns the directive of the human task that the run or a sub-process waits for.
    #[doc(hidden)]
    pub fn question(&mut self) -> Option<Directive<P::Task>> {
        let waits = self.run().is_some_and(Run::waits_for_person);
        let directives = waits.then(|| self.poll().directives())?;
        directives.iter().find(|directive| directive.as_question().is_some()).cloned()
    }

    fn inspect<T>(
        &self,
        show: impl FnOnce(&Run, &TypedHost<P>) -> Result<T, String>,
    ) -> Result<T, PromptError> {
        let active = self.active.as_ref();
        let active =
            active.ok_or_else(|| PromptError("the machine has not been started".to_owned()))?;
        let shown = catch_panic(|| show(&active.run, &active.host));
        shown.unwrap_or_else(|payload| Err(describe_panic(&*payload))).map_err(PromptError)
    }
}
