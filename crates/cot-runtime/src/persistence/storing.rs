//! Runs that are kept in a store: how they are named, and how they go on.

use std::{fmt, sync::Arc, vec};

use cot_engine::{Machine, Process, ResumeOptions};
use cot_store::{RunFilter, RunId, Store};

use crate::{
    driver::driver::Drive,
    persistence::{
        kept::Kept,
        opening::{Opening, Wanted},
    },
    runner::{active::ActiveRun, builder::Runner, error::RunError},
};

/// Where runs are kept.
impl<P: Process> Runner<P> {
    /// Keeps every run in a store, so that it survives the death of this program at any instant: see
    /// the guide on storing. Only runs of [one task alone](Self::run_task) are not kept.
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
    /// // The run is over: its end is what it was, and no model is asked.
    /// let nobody = ScriptedModel::from_fn(|_| -> &str { unreachable!() });
    /// let run = Greeter::runner().model(nobody).store(store).resume("hello")?.await?;
    /// assert_eq!(run.state.text, "Hello");
    /// # Ok::<_, RunError>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn store(self, store: impl Store + 'static) -> Self {
        self.with(|config| config.store = Some(Arc::new(store)))
    }

    /// Names the run that is started next. If the store knows a run of this name, that one goes on, and the
    /// state that is given counts for nothing; one that is over gives its end at once. Without a name, each run
    /// gets one of its own.
    ///
    /// A text that can't be a [`RunId`] is an error when the run is started.
    #[must_use]
    pub fn run_id(mut self, run: impl AsRef<str>) -> Self {
        self.run_id = Some(run.as_ref().parse());
        self
    }

    /// What may differ between the code that wrote a run and the present one; nothing, if nothing is said.
    #[must_use]
    pub fn resume_options(self, options: ResumeOptions) -> Self {
        self.with(|config| config.resume = Arc::new(options))
    }

    /// Completes the state of each run that goes on, before anything is done with it: puts back a
    /// [`Secret`](cot_engine::Secret), which no store holds.
    #[must_use]
    pub fn complete_resumed(
        self,
        complete: impl Fn(&mut P::State) + Send + Sync + 'static,
    ) -> Self {
        self.with(|config| config.complete = Some(Arc::new(complete)))
    }

    /// Goes on with a run of the store, once it is polled. What it did before is not told again, neither to
    /// observers nor in the stream.
    ///
    /// Until the first event, or whatever else there is to wait for, its
    /// [`machine`](ActiveRun::machine) has not been started. That the store does not know the run, or that
    /// somebody else drives it, is told by awaiting it.
    ///
    /// # Errors
    ///
    /// If the runner has no store, the name is none, or a model is missing or can't take what it would be
    /// asked.
    pub fn resume(&self, run: impl AsRef<str>) -> Result<ActiveRun<P>, RunError> {
        self.check(None)?;
        self.go_on_with(run.as_ref().parse()?)
    }

    /// Goes on with every run of this process that has not ended and that nobody drives, the oldest first: for
    /// the start of a program.
    ///
    /// Only names are held; a run is read once it is polled. So thousands may be resumed, as many at once as
    /// seems fit. A run that can't go on, because the process has changed for instance, says so when it is
    /// awaited, and is in nobody's way. So does a run of which the store can't determine
    /// [whether somebody drives it](cot_store::RunSummary::driver_error).
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
    ///             Err(error) => println!("{name} can't go on: {error}"),
    ///         }
    ///     })
    ///     .await;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// If the runner has no store, the store can't be read, or a model is missing or can't take what it would
    /// be asked.
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

    /// A run of the store that exists.
    fn go_on_with(&self, run: RunId) -> Result<ActiveRun<P>, RunError> {
        let kept = self.open(Wanted::Known(run))?;
        Ok(ActiveRun::of(Drive::new(Machine::new(), &self.config, kept)))
    }

    /// Where the run that is started next is kept.
    pub(crate) fn keep(&self) -> Result<Kept, RunError> {
        match (&self.run_id, &self.config.store) {
            (None, None) => Ok(Kept::Nowhere),
            (None, Some(_)) => self.open(Wanted::Fresh),
            (Some(run), _) => self.open(Wanted::Named(run.clone()?)),
        }
    }

    fn open(&self, wanted: Wanted) -> Result<Kept, RunError> {
        let store = self.config.store.as_ref().ok_or(RunError::NoStore)?;
        let opening = Opening::new(store, wanted, &self.config.resume)?;
        Ok(Kept::Opening(Box::new(opening)))
    }
}

/// The runs that [`Runner::resume_all`] goes on with.
#[must_use = "the runs do not go on by themselves"]
pub struct ResumeAll<P: Process> {
    runner: Runner<P>,
    runs: vec::IntoIter<RunId>,
}

impl<P: Process> Iterator for ResumeAll<P> {
    type Item = ActiveRun<P>;

    fn next(&mut self) -> Option<ActiveRun<P>> {
        // The runner has a store, or there would be no runs.
        self.runner.go_on_with(self.runs.next()?).ok()
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
