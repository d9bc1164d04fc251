//! A look at the prompt of the task at which a run stands, without asking anybody.

use cot_model::{ModelRequest, PromptSegments};

use super::{
    Directive, Machine,
    core::Core,
    nested::Child,
    panics::caught,
    phase::{Ask, Each, Phase, Visit},
    typed::Typed,
};
use crate::{
    PartialPrompt, Process,
    blueprint::TaskKind,
    engine::prompt::assemble::{Question, assemble, assemble_partial},
    panicked::in_words,
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
        let show =
            |question: &Question<'_>, host: &dyn Typed| assemble_partial(question, host, partial);
        self.inspect(&show)
    }

    /// The prompt of the task at which the run stands, as it would be asked: for the first attempt, or
    /// the one that is under way.
    ///
    /// # Errors
    ///
    /// When the run stands at no task that asks a model, or a template can't be written.
    pub fn prompt(&self) -> Result<ModelRequest, PromptError> {
        self.inspect(&|question, host| assemble(question, host))
    }

    /// The prompt of the task at which the run stands, taken apart into what is the same for every run
    /// and what differs, with the sizes.
    ///
    /// # Errors
    ///
    /// When the run stands at no task that asks a model, or a template can't be written.
    pub fn prompt_segments(&self) -> Result<PromptSegments, PromptError> {
        self.inspect(&|question, host| {
            let question = Question { records_segments: true, ..*question };
            let segments = assemble(&question, host)?.segments;
            segments.map(|segments| (*segments).clone()).ok_or_else(|| "it has none".to_owned())
        })
    }

    /// The question of the human task that the run, or a process within it, waits at.
    pub(crate) fn question(&mut self) -> Option<Directive<P::Task>> {
        let waits = self.core().is_some_and(Core::waits_for_person);
        let directives = waits.then(|| self.poll().directives())?;
        directives.iter().find(|directive| directive.as_question().is_some()).cloned()
    }

    fn inspect<T>(&self, show: &Show<'_, T>) -> Result<T, PromptError> {
        let run = self.run.as_ref().ok_or_else(|| PromptError("nothing was started".to_owned()))?;
        let shown = caught(|| run.core.inspect(&run.host, show));
        shown.unwrap_or_else(|payload| Err(in_words(&*payload))).map_err(PromptError)
    }
}

type Show<'a, T> = dyn Fn(&Question<'_>, &dyn Typed) -> Result<T, String> + 'a;

impl Core {
    fn inspect<T>(&self, host: &dyn Typed, show: &Show<'_, T>) -> Result<T, String> {
        match &self.phase {
            Phase::Calling { visit, ask } => show(&self.asking(visit, ask), host),
            Phase::Each(Each { visit, asks, .. }) => match asks.values().next() {
                Some((_, ask)) => show(&self.asking(visit, ask), host),
                None => Err("every item is done".to_owned()),
            },
            Phase::Asking { visit, tries, .. } => {
                let ask = Ask { tries: tries.clone(), ..self.question(visit, None, host) };
                show(&self.asking(visit, &ask), host)
            }
            Phase::At(arrival) | Phase::Waiting { arrival, .. } => {
                let inputs = arrival.inputs.clone();
                let visit = Visit { task: arrival.task, inputs, number: 1 };
                let is_each = matches!(self.definition.task(arrival.task).kind, TaskKind::Each(..));
                if is_each && host.count(visit.task, &self.view(&visit, None)) == 0 {
                    return Err("there are no items".to_owned());
                }
                let ask = self.question(&visit, is_each.then_some(0), host);
                show(&self.asking(&visit, &ask), host)
            }
            Phase::Within { child, .. } => match child.parts() {
                Some((core, host)) => core.inspect(host, show),
                None => Err("its process has not begun".to_owned()),
            },
            Phase::Running { .. } => Err("a function asks nothing".to_owned()),
            Phase::Finished { .. } | Phase::Taken { .. } => Err("the run is over".to_owned()),
        }
    }
}

impl Child {
    /// What decides, and what is typed.
    fn parts(&self) -> Option<(&Core, &dyn Typed)> {
        Some((self.core.as_ref()?, &*self.host))
    }
}
