//! The methods of the runner for stored runs.

use std::{fmt, sync::Arc, vec};

use cot_engine::{Machine, Process, ResumeOptions};
use cot_store::{RunFilter, RunId, Store};

use crate::{
    driver::driver::Driver,
    persistence::{
        open_run::{OpenRun, RunTarget},
        persistence::Persistence,
    },
    runner::{active::ActiveRun, builder::Runner, error::RunError},
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
        self.configure(|config| config.store = Some(Arc::new(store)))
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

    /// Sets a function that is called with the state of each resumed run before anything else: to restore a
    /// [`Secret`](cot_engine::Secret), which is never stored.
    #[must_use]
    pub fn on_resume(self, complete: impl Fn(&mut P::State) + Send + Sync + 'static) -> Self {
        self.configure(|config| config.on_resume = Some(Arc::new(complete)))
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
        self.check(None)?;
        self.resume_stored(run.as_ref().parse()?)
    }

    /// Resumes every run of this process that has not ended and is not being driven, oldest first: for the
    /// start of a program.
    ///
    /// Only the names are held in memory; a run is read when it is first polled. So thousands of runs can be
    /// resumed, as many concurrently as the caller chooses. A run that can't be resumed, for instance
    /// because the process has changed, reports its error when it is awaited, and does not affect the
    /// others. So does a run of which the store can't determine [whether it is being
    /// driven](cot_store::RunSummary::driver_error).
    ///
    /// ```
    /// # #![allow(dead_code, reason = "no process is declared here")]
    /// # use cot_core::{Process, RunError, Runner};
    /// use futures_util::{StreamExt, stream};
    ///
    /// async fn resume_all<P: Process>(runner: &Runner<P>) -> Result<(), RunError> {
    ///     let runs = stream::iter(runner.resume_all().await?);
    ///     runs.for_each_concurrent(100, |run| async move {
    ///         let name = run.run_id().clone();
    ///         match run.await {
    ///             Ok(run) => println!("{name}: {:?}", run.outcome),
    ///             Err(error) => println!("{name} could not be resumed: {error}"),
    ///         }
    ///     })
    ///     .await;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// If the runner has no store, the store can't be read, or a model is missing or does not support a
    /// schema.
    pub async fn resume_all(&self) -> Result<ResumeAll<P>, RunError> {
        self.check(None)?;
        let store = self.config.store.as_ref().ok_or(RunError::NoStore)?;
        let process = Some(P::DEFINITION.about.name.to_owned());
        let mut filter = RunFilter::default();
        (filter.process, filter.is_ended) = (process, Some(false));
        let runs = store.runs(&filter).await?.into_iter().rev();
        let runs: Vec<RunId> = runs.filter(|run| !run.is_driven).map(|run| run.run).collect();
        Ok(ResumeAll { runner: self.clone(), runs: runs.into_iter() })
    }

    /// Resumes a run that must exist.
    fn resume_stored(&self, run: RunId) -> Result<ActiveRun<P>, RunError> {
        let persistence = self.open_target(RunTarget::Existing(run))?;
        Ok(ActiveRun::new(Driver::new(Machine::new(), &self.config, persistence)))
    }

    /// Opens the persistence of the next run.
    pub(crate) fn open_persistence(&self) -> Result<Persistence, RunError> {
        match (&self.run_id, &self.config.store) {
            (None, None) => Ok(Persistence::Disabled),
            (None, Some(_)) => self.open_target(RunTarget::New),
            (Some(run), _) => self.open_target(RunTarget::OpenOrCreate(run.clone()?)),
        }
    }

    fn open_target(&self, target: RunTarget) -> Result<Persistence, RunError> {
        let store = self.config.store.as_ref().ok_or(RunError::NoStore)?;
        let open_run = OpenRun::new(store, target, &self.config.resume)?;
        Ok(Persistence::Opening(Box::new(open_run)))
    }
}

/// The iterator over resumed runs that [`Runner::resume_all`] returns.
#[must_use = "the runs do not go on by themselves"]
pub struct ResumeAll<P: Process> {
    runner: Runner<P>,
    runs: vec::IntoIter<RunId>,
}

impl<P: Process> Iterator for ResumeAll<P> {
    type Item = ActiveRun<P>;

    fn next(&mut self) -> Option<ActiveRun<P>> {
        // Can't fail: without a store there would be no runs.
        self.runner.resume_stored(self.runs.next()?).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.runs.size_hint()
    }
}

impl<P: Process> ExactSizeIterator for ResumeAll<P> {}

impl<P: Process> fmt::Debug for ResumeAll<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumeAll").field("runs", &self.runs.as_slice()).finish_non_exhaustive()
    }
}
