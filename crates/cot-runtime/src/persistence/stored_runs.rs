//! The methods of the runner for stored runs.

use std::sync::Arc;

use cot_engine::{Process, ResumeOptions, SnapshotError};
use cot_model::TraceContext;
use cot_store::{RunId, Store, Submission};

use crate::{
    clock,
    driver::driver::Driver,
    persistence::{
        describe::describe_once,
        open_run::{OpenOptions, OpenRun, RunTarget},
        persistence::Persistence,
    },
    runner::{active::ActiveRun, builder::Runner, config::Config, error::RunError},
};

/// Stored runs.
impl<P: Process> Runner<P> {
    /// Persists every run in a store, so that it survives a crash of this program at any instant: see the
    /// guide on storing. Only runs of [a single task](Self::run_task) are not stored.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use cot_core::{model::ScriptedModel, prelude::*, store::MemoryStore};
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    /// use serde_json::json;
    ///
    /// #[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
    /// struct Greeting {
    ///     text: String,
    /// }
    ///
    /// cot_process! {
    ///     process Greeter {
    ///         state: Greeting,
    ///         task greet -> Greeting { prompt: "Greet.", update: { text = output.text }, next: done }
    ///         task done { end }
    ///     }
    /// }
    ///
    /// let store = MemoryStore::default();
    /// let model = ScriptedModel::new([json!({ "text": "Hello" })]);
    /// let runner = Greeter::runner().model(model).store(store.clone()).run_id("hello");
    /// assert_eq!(runner.run(Greeting::default()).await?.state.text, "Hello");
    ///
    /// // The run has ended: its outcome is read from the store, and no model is called.
    /// let unused = ScriptedModel::from_fn(|_| -> &str { unreachable!() });
    /// let run = Greeter::runner().model(unused).store(store).resume("hello")?.await?;
    /// assert_eq!(run.state.text, "Hello");
    /// # Ok::<_, RunError>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn store(self, store: impl Store + 'static) -> Self {
        self.configure(|config| config.set_store(Arc::new(store)))
    }

    /// Sets the name of the next run. If the store contains a run of this name, that run is resumed and the
    /// given state is ignored; a run that has ended returns its outcome at once. Without a name, each run
    /// gets a generated one.
    ///
    /// A name that is not a valid [`RunId`] is reported when the run is started.
    #[must_use]
    pub fn run_id(mut self, run: impl AsRef<str>) -> Self {
        self.run_id = Some(run.as_ref().parse());
        self
    }

    /// Sets the differences between the code that wrote a run and the present code that are accepted; none
    /// by default.
    #[must_use]
    pub fn resume_options(self, options: ResumeOptions) -> Self {
        self.configure(|config| config.resume = Arc::new(options))
    }

    /// Resumes a stored run, once it is polled. Earlier events are not emitted again, neither to observers
    /// nor in the stream.
    ///
    /// Until the first event or wait, its [`machine`](ActiveRun::machine) has not been started. Awaiting the
    /// run reports an error if the store does not contain it, or if another driver holds its lease.
    ///
    /// # Errors
    ///
    /// If the runner has no store, the name is not valid, or a model is missing or does not support a
    /// schema.
    pub fn resume(&self, run: impl AsRef<str>) -> Result<ActiveRun<P>, RunError> {
        self.config.check(None)?;
        let persistence = open(&self.config, RunTarget::Existing(run.as_ref().parse()?))?;
        let (config, caller) = ((&self.config, &self.typed), self.trace_context.as_ref());
        let machine = self.typed.new_machine(&self.config);
        Ok(ActiveRun::new(Driver::new(machine, config, caller, persistence)))
    }

    /// Stores a run that a [worker](crate::Worker) will begin, in this program or another, and returns its name:
    /// the one that [`run_id`](Self::run_id) sets, or a generated one. The goal and the limits of this runner
    /// take precedence over those of the worker's. Models are not needed.
    ///
    /// [`Store::submit`] does the same without the types of the process.
    ///
    /// # Errors
    ///
    /// If the runner has no store, the name is not valid, the store has a run of this name or can't be written,
    /// or the state can't be written as JSON.
    pub async fn submit(&self, state: &P::State) -> Result<RunId, RunError> {
        let store = self.config.store.as_ref().ok_or(RunError::NoStore)?;
        let process = P::DEFINITION.about.name;
        let submission = Submission::new(process, state, clock::now());
        let mut submission = submission.map_err(SnapshotError::UnwritableState)?;
        if let Some(run) = &self.run_id {
            submission = submission.run_id(run.clone()?);
        }
        if let Some(caller) = self.trace_context.clone().or_else(TraceContext::current) {
            submission = submission.trace_context(caller);
        }
        Ok(store.submit(submission.options(&self.config.options)).await?)
    }

    /// Opens the persistence of the next run.
    pub(crate) fn open_persistence(&self) -> Result<Persistence, RunError> {
        match (&self.run_id, &self.config.store) {
            (None, None) => Ok(Persistence::Disabled),
            (None, Some(_)) => open(&self.config, RunTarget::New),
            (Some(run), _) => open(&self.config, RunTarget::OpenOrCreate(run.clone()?)),
        }
    }
}

fn open(config: &Config, target: RunTarget) -> Result<Persistence, RunError> {
    let store = config.store.as_ref().ok_or(RunError::NoStore)?;
    let describe = describe_once(config.process, store, &config.is_described);
    let extras = OpenOptions { describe, is_traced: config.is_traced() };
    let open_run = OpenRun::new(store, target, &config.resume, extras)?;
    Ok(Persistence::Opening(Box::new(open_run)))
}
