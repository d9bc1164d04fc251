//! A look at the prompt of the task at which a run stands, without asking anybody.

use cot_model::{ModelRequest, PromptSegments};

use crate::{
    machine::{host::TypedHost, machine::Machine},
    process::process::Process,
    protocol::directive::Directive,
    run::{
        inspect::{partial_prompt, prompt},
        run::Run,
    },
    template::partial::PartialPrompt,
    values::{catch::catch_panic, panicked::in_words},
};

/// Why a prompt can't be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the prompt can't be shown: {0}")]
pub struct PromptError(String);

impl<P: Process> Machine<P> {
    /// The prompt of the task at which the run stands, without what is to be left out. Of a for-each
    /// task it is the prompt for the first item that is asked about.
    ///
    /// # Errors
    ///
    /// When the run stands at no task that asks, or a template can't be written.
    pub fn partial_prompt(&self, partial: &PartialPrompt) -> Result<String, PromptError> {
        self.inspect(|run, host| partial_prompt(run, partial, host))
    }

    /// The prompt of the task at which the run stands, as it would be asked: for the first attempt, or
    /// the one that is under way.
    ///
    /// # Errors
    ///
    /// When the run stands at no task that asks a model, or a template can't be written.
    pub fn prompt(&self) -> Result<ModelRequest, PromptError> {
        self.inspect(|run, host| prompt(run, false, host))
    }

    /// The prompt of the task at which the run stands, taken apart into what is the same for every run
    /// and what differs, with the sizes.
    ///
    /// # Errors
    ///
    /// When the run stands at no task that asks a model, or a template can't be written.
    pub fn prompt_segments(&self) -> Result<PromptSegments, PromptError> {
        self.inspect(|run, host| {
            let segments = prompt(run, true, host)?.segments;
            segments.map(|segments| (*segments).clone()).ok_or_else(|| "it has none".to_owned())
        })
    }

    /// The question of the human task that the run, or a process within it, waits at.
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
        let active = active.ok_or_else(|| PromptError("nothing was started".to_owned()))?;
        let shown = catch_panic(|| show(&active.run, &active.host));
        shown.unwrap_or_else(|payload| Err(in_words(&*payload))).map_err(PromptError)
    }
}
