//! The builder of runs: models, limits, observers, and the methods that start a run.

use std::{sync::Arc, time::Duration};

use cot_engine::{
    AfterCommit, BeforeCommit, Budget, Fallback, Machine, MockMode, Process, ProcessEvent, Question,
};
use cot_model::{LanguageModel, TraceContext};
use cot_schema::Issues;
use cot_store::{ParseRunIdError, RunId};
use serde::Serialize;

use crate::{
    capture::{capture::Capture, replay::Replay},
    driver::{driven_run::TypedRun, driver::Driver},
    runner::{
        active::ActiveRun, config::Config, error::RunError, finish::RunFuture, models::Models,
        observer::EventContext, report::RunReport, typed_config::TypedConfig,
    },
};

/// Configures and starts runs of a process.
///
/// One runner serves any number of runs, in sequence or concurrently; cloning it is cheap. A run needs a
/// tokio runtime with time enabled if something has a time limit (a task, the process,
/// [`timeout`](Self::timeout)) or a task waits; otherwise any executor will do.
pub struct Runner<P: Process> {
    pub(crate) config: Arc<Config>,
    pub(crate) typed: Arc<TypedConfig<P>>,
    /// The name of the next run in the store, or the error of parsing it.
    pub(crate) run_id: Option<Result<RunId, ParseRunIdError>>,
    /// The trace that the next runs belong to.
    pub(crate) trace_context: Option<TraceContext>,
}

/// Models and responders.
impl<P: Process> Runner<P> {
    /// Sets the default model: it answers the tasks for which neither the task nor the process names an
    /// engine.
    #[must_use]
    pub fn model(self, model: impl LanguageModel + 'static) -> Self {
        self.configure(|config| config.change_models().default = Some(Arc::new(model)))
    }

    /// Replaces all models: for models that
    /// [`preflight`](crate::preflight::preflight::Preflight::preflight) has checked.
    #[must_use]
    pub fn models(self, models: Models) -> Self {
        self.configure(|config| *config.change_models() = models)
    }

    /// Registers a model under an engine id: it answers the tasks that name this id, themselves or by the
    /// process.
    #[must_use]
    pub fn engine(self, id: impl Into<String>, model: impl LanguageModel + 'static) -> Self {
        self.configure(|config| {
            config.change_models().engines.insert(id.into(), Arc::new(model));
        })
    }

    /// Sets the function that answers human tasks, instead of a handle. If an answer is not valid, the
    /// function is called again, with the issues in the question.
    #[must_use]
    pub fn person<A, F>(self, answer: impl Fn(Arc<Question>) -> F + Send + Sync + 'static) -> Self
    where
        A: Serialize,
        F: Future<Output = A> + Send + 'static,
    {
        self.configure(|config| {
            config.responder = Some(Arc::new(move |question| {
                let answer = answer(question);
                // A value that can't be JSON becomes `null`, which the check of the answer rejects.
                Box::pin(async move { serde_json::to_value(answer.await).unwrap_or_default() })
            }));
        })
    }

    /// Sets which tasks are answered by their `mock` instead of a model, a person or a function: all with
    /// `true`, none with `false`, some with [`MockMode::Only`] or [`MockMode::Except`]. The `mock_mode` of a
    /// task takes precedence over this one, and this one over that of the process.
    #[must_use]
    pub fn mock_mode(self, mode: impl Into<MockMode<P::Task>>) -> Self {
        let mode = mode.into().into_names();
        self.configure(|config| config.set_mock_mode(mode))
    }

    /// Answers every model call from a capture. No model is called: a call that the capture does not contain
    /// fails with an error that describes the difference.
    #[must_use]
    pub fn replay(self, replay: Replay) -> Self {
        self.configure(|config| config.replay = Some(replay))
    }

    /// Sets when a task that names several engines calls the next one.
    #[must_use]
    pub fn fallback(self, fallback: Fallback) -> Self {
        self.configure(|config| Arc::make_mut(&mut config.options).fallback = fallback)
    }
}

/// The goal and the limits of runs.
impl<P: Process> Runner<P> {
    /// Sets the goal, overriding that of the process.
    #[must_use]
    pub fn goal(self, goal: impl Into<String>) -> Self {
        self.configure(|config| Arc::make_mut(&mut config.options).goal = Some(goal.into()))
    }

    /// Sets the maximum number of steps of a run, overriding that of the process.
    #[must_use]
    pub fn max_steps(self, steps: u64) -> Self {
        self.configure(|config| Arc::make_mut(&mut config.options).max_steps = Some(steps))
    }

    /// Sets the time limit of all calls of a run together, overriding that of the process. Of concurrent
    /// calls, the longest counts; waiting for people and timers does not.
    #[must_use]
    pub fn timeout(self, limit: Duration) -> Self {
        self.configure(|config| Arc::make_mut(&mut config.options).timeout = Some(limit))
    }

    /// Sets the budget of a run, overriding that of the process. A call that is in flight when the budget is
    /// exhausted is completed.
    #[must_use]
    pub fn budget(self, budget: Budget) -> Self {
        self.configure(|config| Arc::make_mut(&mut config.options).budget = Some(budget))
    }
}

/// Observers, streams and hooks.
impl<P: Process> Runner<P> {
    /// Adds an observer: a function that is called with every event of every run, before the stream yields
    /// it, and with the run and time of the event. A panic in an observer affects neither the run nor other
    /// observers.
    ///
    /// ```
    /// # use cot_core::{Process, RunEvent, Runner};
    /// # #[allow(dead_code, reason = "no process is declared here")]
    /// fn logged<P: Process>(runner: Runner<P>) -> Runner<P> {
    ///     runner.observe(|event, context| {
    ///         if let RunEvent::Finished { ending, .. } = event {
    ///             println!("{}: {ending:?}", context.run_id);
    ///         }
    ///     })
    /// }
    /// ```
    #[must_use]
    pub fn observe(
        mut self,
        observer: impl Fn(&ProcessEvent<P>, &EventContext) + Send + Sync + 'static,
    ) -> Self {
        self.typed = self.typed.changed(|typed| typed.observers.push(Arc::new(observer)));
        self
    }

    /// Enables [`RunEvent::Delta`](cot_engine::RunEvent::Delta) events: the chunks of replies, if the model
    /// streams.
    #[must_use]
    pub fn token_deltas(self, on: bool) -> Self {
        self.configure(|config| config.stream_options.deltas = on)
    }

    /// Shows the beginnings of replies in the [store](Self::store) while they are received, if the model streams,
    /// so that other programs can [read](cot_store::Store::drafts) them. They are written at most every 300 ms, beside
    /// the journal. A run that is stored does so anyhow if chunks of replies are observed.
    #[must_use]
    pub fn drafts(self, on: bool) -> Self {
        self.configure(|config| config.stream_options.drafts = on)
    }

    /// Enables [`RunEvent::Partial`](cot_engine::RunEvent::Partial) events: the typed output as far as it is
    /// received, if the model streams.
    ///
    /// Each partial parses the reply from its start. To bound the total cost to about a hundred times that
    /// of parsing the whole reply, whatever its length, a partial is emitted only when the text has grown by
    /// a hundredth of its length since the last one and the output has changed, and at the end of the
    /// stream. Chunks that arrive before the run is polled again make one partial. A reply that chooses a
    /// transition has no partials.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use cot_core::{model::ScriptedModel, prelude::*};
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
    /// struct Article {
    ///     title: String,
    ///     sections: Vec<String>,
    /// }
    ///
    /// cot_process! {
    ///     process Editor {
    ///         state: Article,
    ///         task write -> Article {
    ///             prompt: "Write about the sea.",
    ///             update: { title = output.title, sections = output.sections },
    ///             next: done,
    ///         }
    ///         task done { end }
    ///     }
    /// }
    ///
    /// let model = ScriptedModel::new([r#"{"title": "Salt", "sections": ["Waves", "Wind"]}"#]).streaming(8);
    /// let mut active = Editor::runner().model(model).partials(true).start(Article::default())?;
    /// let mut last = None;
    /// while let Some(event) = active.next().await {
    ///     if let RunEvent::Partial { partial: Some(partial), .. } = event {
    ///         let Some(article) = partial.read::<Article>() else { continue };
    ///         println!("{}", article.title.get().map_or("…", |title| title));
    ///         last = Some(article);
    ///     }
    /// }
    /// let last = last.expect("the model streams");
    /// assert_eq!(last.title.finished().map(String::as_str), Some("Salt"));
    /// assert_eq!(last.sections.get().map(Vec::len), Some(2));
    /// # Ok::<_, RunError>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn partials(self, on: bool) -> Self {
        self.configure(|config| config.stream_options.partials = on)
    }

    /// Adds a hook that is called with every output before it is committed. It may reject the output with
    /// issues, replace it, and add updates. A panic in a hook halts the run.
    #[must_use]
    pub fn before_commit(
        mut self,
        hook: impl Fn(&mut BeforeCommit<'_, P>) -> Result<(), Issues> + Send + Sync + 'static,
    ) -> Self {
        self.typed = self.typed.changed(|typed| Arc::make_mut(&mut typed.hooks).add_before(hook));
        self
    }

    /// Adds a hook that is called with each committed output, before the run continues. A panic in a hook
    /// affects neither the run nor other hooks.
    #[must_use]
    pub fn after_commit(
        mut self,
        hook: impl Fn(&AfterCommit<'_, P>) + Send + Sync + 'static,
    ) -> Self {
        self.typed = self.typed.changed(|typed| Arc::make_mut(&mut typed.hooks).add_after(hook));
        self
    }

    /// Captures every call with its answer.
    #[must_use]
    pub fn capture(self, capture: Capture) -> Self {
        self.configure(|config| config.capture = Some(capture))
    }
}

/// The methods that start a run.
impl<P: Process> Runner<P> {
    /// Runs the process to its end. A run that halts or reaches a `fail` task is an error, which has the report.
    pub fn run(&self, state: P::State) -> RunFuture<P> {
        RunFuture::new(self.check_responders().and_then(|()| self.start_driver(state)))
    }

    /// Runs the process to its end and returns its report, also if the run has failed. An error means that it
    /// could not be started or persisted. Short for [`run(state).report()`](RunFuture::report).
    pub fn report(
        &self,
        state: P::State,
    ) -> impl Future<Output = Result<RunReport<P>, RunError>> + Send + use<P> {
        self.run(state).report()
    }

    /// Starts a run that can be observed and controlled. It makes progress only while it is polled.
    ///
    /// # Errors
    ///
    /// If a model is missing or does not support a schema, or the process can't start.
    pub fn start(&self, state: P::State) -> Result<ActiveRun<P>, RunError> {
        self.start_driver(state).map(ActiveRun::new)
    }

    /// Runs a started or resumed machine to its end. The goal and the limits are those of the machine, not
    /// of the runner.
    pub fn run_machine(&self, machine: Machine<P>) -> RunFuture<P> {
        RunFuture::new(self.check_responders().and_then(|()| self.drive_machine(machine)))
    }

    /// Continues a started or resumed machine as a run that can be observed and controlled. The goal and the
    /// limits are those of the machine, not of the runner. Earlier events are not emitted again: a machine
    /// that has finished emits none.
    ///
    /// # Errors
    ///
    /// If a model is missing or does not support a schema, or the machine has not been started.
    pub fn start_machine(&self, machine: Machine<P>) -> Result<ActiveRun<P>, RunError> {
        self.drive_machine(machine).map(ActiveRun::new)
    }

    fn start_driver(&self, state: P::State) -> Result<Driver<TypedRun<P>>, RunError> {
        let mut machine = self.typed.new_machine(&self.config);
        machine.start(state)?;
        self.drive_machine(machine)
    }

    fn drive_machine(&self, machine: Machine<P>) -> Result<Driver<TypedRun<P>>, RunError> {
        self.config.check(None)?;
        if machine.is_idle() {
            return Err(RunError::NotStarted);
        }
        let persistence = self.open_persistence()?;
        let (config, caller) = ((&self.config, &self.typed), self.trace_context.as_ref());
        Ok(Driver::new(machine, config, caller, persistence))
    }

    /// Checks that the human tasks of the whole process can be answered. Skipped for a named run: without a
    /// store, the missing store is the error.
    #[doc(hidden)]
    pub fn check_responders(&self) -> Result<(), RunError> {
        if self.run_id.is_some() {
            Ok(())
        } else {
            self.config
                .check_responder(self.config.definition().tasks, &|tool| self.typed.asks(tool))
        }
    }

    /// Changes the configuration.
    pub(crate) fn configure(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(Arc::make_mut(&mut self.config));
        self
    }
}

/// Returns whether a runner stores its runs.
#[must_use]
pub fn has_store<P: Process>(runner: &Runner<P>) -> bool {
    runner.config.store.is_some()
}

/// Replaces each model of a runner with what `wrap` makes of it.
#[must_use]
pub fn wrap_models<P: Process, M: LanguageModel + 'static>(
    runner: Runner<P>,
    wrap: impl Fn(Arc<dyn LanguageModel>) -> M,
) -> Runner<P> {
    runner.configure(|config| config.change_models().wrap(|model| Arc::new(wrap(model))))
}
