//! The builder of runs.

use std::{fmt, sync::Arc, time::Duration};

use cot_engine::{
    AfterCommit, BeforeCommit, Budget, Fallback, Inputs, Machine, MockMode, Process, ProcessEvent,
    Question, internal::TaskDefinition,
};
use cot_model::LanguageModel;
use cot_schema::Issues;
use cot_store::{BadRunId, RunId};
use serde::Serialize;

use crate::{
    capture::{capture::Capture, serve::Replay},
    driver::driver::Drive,
    persistence::kept::Kept,
    preflight::people::human_tasks,
    runner::{
        active::ActiveRun,
        config::{Config, task_definition},
        emitter::EventContext,
        error::RunError,
        finish::Finish,
        models::Models,
        task_run::TaskRun,
    },
};

/// Runs a process: with which models, towards which goal, within which limits.
///
/// One runner serves any number of runs, one after another or at once; cloning it is cheap. A run
/// needs a tokio runtime with time enabled where something has a time limit (a task, the process,
/// [`timeout`](Self::timeout)) or a task waits; without these any executor will do.
pub struct Runner<P: Process> {
    pub(crate) config: Arc<Config<P>>,
    /// The name of the next run in its store.
    pub(crate) run_id: Option<Result<RunId, BadRunId>>,
}

/// What answers.
impl<P: Process> Runner<P> {
    /// A runner without models.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers the tasks for which neither they nor the process name an engine.
    #[must_use]
    pub fn model(self, model: impl LanguageModel + 'static) -> Self {
        self.with(|config| config.models.default = Some(Arc::new(model)))
    }

    /// Answers with these models, in place of those that were given before: for models that
    /// [`preflight`](crate::preflight::preflight::Preflight::preflight) has looked at.
    #[must_use]
    pub fn models(self, models: Models) -> Self {
        self.with(|config| config.models = models)
    }

    /// Answers the tasks that name this engine id, themselves or through the process.
    #[must_use]
    pub fn engine(self, id: impl Into<String>, model: impl LanguageModel + 'static) -> Self {
        self.with(|config| {
            config.models.engines.insert(id.into(), Arc::new(model));
        })
    }

    /// Answers human tasks, in the place of a handle. An answer that is not valid is asked for again,
    /// with its issues in the question.
    #[must_use]
    pub fn person<A, F>(self, answer: impl Fn(Arc<Question>) -> F + Send + Sync + 'static) -> Self
    where
        A: Serialize,
        F: Future<Output = A> + Send + 'static,
    {
        self.with(|config| {
            config.person = Some(Arc::new(move |question| {
                let answer = answer(question);
                // What can't be JSON is an answer that fits no schema.
                Box::pin(async move { serde_json::to_value(answer.await).unwrap_or_default() })
            }));
        })
    }

    /// Has tasks answered by their `mock`, in the place of a model, a person or a function: all of them with
    /// `true`, none with `false`, some with [`MockMode::Only`] or [`MockMode::Except`]. A task's own `mock_mode`
    /// comes before this, and this before the one of the process.
    #[must_use]
    pub fn mock_mode(self, mode: impl Into<MockMode<P::Task>>) -> Self {
        let mode = mode.into().into_names();
        self.with(|config| config.options.mock_mode = Some(mode))
    }

    /// Answers every model call out of a capture. No model is asked, not even where the capture has no
    /// answer: the call fails then, and says what differs.
    #[must_use]
    pub fn replay(self, replay: Replay) -> Self {
        self.with(|config| config.replay = Some(replay))
    }

    /// When a task that names several engines asks the next one.
    #[must_use]
    pub fn fallback(self, fallback: Fallback) -> Self {
        self.with(|config| config.options.fallback = fallback)
    }
}

/// Limits.
impl<P: Process> Runner<P> {
    /// The goal, in place of the process's own.
    #[must_use]
    pub fn goal(self, goal: impl Into<String>) -> Self {
        self.with(|config| config.options.goal = Some(goal.into()))
    }

    /// The most steps that a run may take, in place of the process's own limit.
    #[must_use]
    pub fn max_steps(self, steps: u64) -> Self {
        self.with(|config| config.options.max_steps = Some(steps))
    }

    /// How long the calls of a run may take together, in place of the process's own limit. Of calls
    /// made at once the longest counts; waiting for people and timers does not.
    #[must_use]
    pub fn timeout(self, limit: Duration) -> Self {
        self.with(|config| config.options.timeout = Some(limit))
    }

    /// What the calls of a run may consume, in place of the process's own budget. A call that is under
    /// way when it is used up is finished.
    #[must_use]
    pub fn budget(self, budget: Budget) -> Self {
        self.with(|config| config.options.budget = Some(budget))
    }
}

/// Who watches.
impl<P: Process> Runner<P> {
    /// Shows every event of every run to a function, before a stream gives it, with the run that it is of and
    /// the time at which it happened. There may be several. A panic in one disturbs neither the run nor the
    /// others.
    ///
    /// ```
    /// # #![allow(dead_code, reason = "no process is declared here")]
    /// # use cot_core::{Process, RunEvent, Runner};
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
        self,
        observer: impl Fn(&ProcessEvent<P>, &EventContext) + Send + Sync + 'static,
    ) -> Self {
        self.with(|config| config.observers.push(Arc::new(observer)))
    }

    /// Tells replies while they are written, as [`RunEvent::Delta`](cot_engine::RunEvent::Delta), where the model streams.
    #[must_use]
    pub fn token_deltas(self, on: bool) -> Self {
        self.with(|config| config.told.pieces = on)
    }

    /// Tells outputs while they are written, as [`RunEvent::Partial`](cot_engine::RunEvent::Partial), where the model streams: each time all
    /// that has come so far, typed.
    ///
    /// A reply is read anew from its beginning for each partial. So that this costs no more than about a
    /// hundred times what reading the whole reply costs, however long it is, a partial is made only when the
    /// text has grown by a hundredth of its length since the last one, when that says something new, and at
    /// the end of the stream. Where several pieces come before a run gets to tell them, they make one partial.
    /// A reply that chooses a transition gives none.
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
    ///         let Some(article) = partial.of::<Article>() else { continue };
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
        self.with(|config| config.told.partials = on)
    }

    /// Calls a function with every output that is about to be committed. It may refuse the output with
    /// issues, replace it, and add updates. There may be several. A panic in one halts the run.
    #[must_use]
    pub fn before_commit(
        self,
        hook: impl Fn(&mut BeforeCommit<'_, P>) -> Result<(), Issues> + Send + Sync + 'static,
    ) -> Self {
        self.with(|config| Arc::make_mut(&mut config.hooks).add_before(hook))
    }

    /// Calls a function with each committed output, before the run continues. There may be
    /// several. A panic in one disturbs neither the run nor the others.
    #[must_use]
    pub fn after_commit(self, hook: impl Fn(&AfterCommit<'_, P>) + Send + Sync + 'static) -> Self {
        self.with(|config| Arc::make_mut(&mut config.hooks).add_after(hook))
    }

    /// Records every call and its answer.
    #[must_use]
    pub fn capture(self, capture: Capture) -> Self {
        self.with(|config| config.capture = Some(capture))
    }
}

/// Runs.
impl<P: Process> Runner<P> {
    /// Runs the process from a state to its end.
    pub fn run(&self, state: P::State) -> Finish<P> {
        Finish::of(self.has_person_for_all().and_then(|()| self.begin(state)))
    }

    /// Starts a run to watch and to steer. It goes on only while it is polled.
    ///
    /// # Errors
    ///
    /// If a model is missing or can't take what it would be asked, or the process can't start.
    pub fn start(&self, state: P::State) -> Result<ActiveRun<P>, RunError> {
        self.begin(state).map(ActiveRun::of)
    }

    /// Runs one task alone in any state: with its retries, its checks and its commit. Only what this task
    /// needs has to be there: its engines, its mock in mock mode.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start); when the task takes inputs; and when it asks people, and there is no
    /// [`person`](Self::person) to answer.
    pub async fn run_task(&self, task: P::Task, state: P::State) -> Result<TaskRun<P>, RunError> {
        self.task_run(task, None, state).await
    }

    /// Runs one task alone in any state, with what a transition would deliver to it.
    ///
    /// # Errors
    ///
    /// As [`run_task`](Self::run_task), but for the inputs.
    pub async fn run_task_with(
        &self,
        task: P::Task,
        inputs: Inputs,
        state: P::State,
    ) -> Result<TaskRun<P>, RunError> {
        self.task_run(task, Some(inputs), state).await
    }

    /// Goes on with a machine, for instance a resumed one, to its end. The goal and the limits are
    /// the machine's, not the runner's.
    pub fn run_machine(&self, machine: Machine<P>) -> Finish<P> {
        Finish::of(self.has_person_for_all().and_then(|()| self.go_on(machine)))
    }

    /// Goes on with a machine, for instance a resumed one, to watch and to steer it. The goal and the
    /// limits are the machine's, not the runner's. What the machine did before is not told again: a
    /// machine that has finished gives no events.
    ///
    /// # Errors
    ///
    /// If a model is missing or can't take what it would be asked, or the machine has not been
    /// started.
    pub fn start_machine(&self, machine: Machine<P>) -> Result<ActiveRun<P>, RunError> {
        self.go_on(machine).map(ActiveRun::of)
    }

    async fn task_run(
        &self,
        task: P::Task,
        inputs: Option<Inputs>,
        state: P::State,
    ) -> Result<TaskRun<P>, RunError> {
        self.has_person(task_definition::<P>(task))?;
        let mut machine = Machine::with_options(self.config.options.clone());
        machine.start_task(task, inputs, state)?;
        self.check(Some(task))?;
        TaskRun::finish(Drive::new(machine, &self.config, Kept::Nowhere)).await
    }

    fn begin(&self, state: P::State) -> Result<Drive<P>, RunError> {
        let mut machine = Machine::with_options(self.config.options.clone());
        machine.start(state)?;
        self.go_on(machine)
    }

    fn go_on(&self, machine: Machine<P>) -> Result<Drive<P>, RunError> {
        self.check(None)?;
        if machine.is_idle() {
            return Err(RunError::NotStarted);
        }
        let kept = self.keep()?;
        Ok(Drive::new(machine, &self.config, kept))
    }

    /// Whether everybody is there who will be asked.
    pub(crate) fn check(&self, alone: Option<P::Task>) -> Result<(), RunError> {
        let config = &self.config;
        match &config.replay {
            Some(replay) => replay.check_process(P::DEFINITION.about.name)?,
            None => config.check_models(alone)?,
        }
        if let Some(capture) = &config.capture {
            capture.begin(P::DEFINITION.about.name);
        }
        Ok(())
    }

    /// A run that is only awaited has no handle through which it could be answered, and without a store there
    /// is no other place for answers.
    fn has_person(
        &self,
        tasks: impl IntoIterator<Item = &'static TaskDefinition>,
    ) -> Result<(), RunError> {
        let Config { person, replay, store, options, .. } = &*self.config;
        if person.is_some() || replay.is_some() || store.is_some() {
            return Ok(());
        }
        let tasks = human_tasks(P::DEFINITION, tasks, options.mock_mode.as_ref());
        if tasks.is_empty() { Ok(()) } else { Err(RunError::NobodyAnswers { tasks }) }
    }

    /// The same for a whole run. One that has a name is meant to be kept: without a store, that is what is wrong.
    fn has_person_for_all(&self) -> Result<(), RunError> {
        if self.run_id.is_some() { Ok(()) } else { self.has_person(P::DEFINITION.tasks) }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Config<P>)) -> Self {
        Arc::make_mut(&mut self.config).change(change);
        self
    }
}

impl<P: Process> Default for Runner<P> {
    fn default() -> Self {
        Self { config: Arc::default(), run_id: None }
    }
}

impl<P: Process> Clone for Runner<P> {
    fn clone(&self) -> Self {
        Self { config: Arc::clone(&self.config), run_id: self.run_id.clone() }
    }
}

impl<P: Process> fmt::Debug for Runner<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Config { models, options, observers, .. } = &*self.config;
        f.debug_struct("Runner")
            .field("process", &P::DEFINITION.about.name)
            .field("has_default_model", &models.default.is_some())
            .field("engines", &models.engines.keys())
            .field("options", options)
            .field("observers", &observers.len())
            .finish_non_exhaustive()
    }
}
