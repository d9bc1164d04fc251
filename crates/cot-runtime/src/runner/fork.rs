//! A run that is made of another.

use std::{fmt, sync::Arc};

use cot_engine::Process;
use cot_store::{Fork, RunId, Store, snapshot_at};

use crate::{
    clock::now,
    persistence::opening::fresh_id,
    runner::{active::ActiveRun, builder::Runner, error::RunError},
};

type Change<S> = Box<dyn FnOnce(&mut S) + Send>;

/// A run that is to be made of another, as it stood after some step: [`Runner::fork`] begins it.
#[must_use = "nothing is forked before `create` is called"]
pub struct ForkRun<P: Process> {
    runner: Runner<P>,
    store: Arc<dyn Store>,
    run: RunId,
    steps: u64,
    fork: Fork,
    changes: Vec<Change<P::State>>,
}

impl<P: Process> Runner<P> {
    /// Goes back to where a run stood after so many steps, and on from there in another way: with another state,
    /// another goal, other models, or other prompts, where [`resume_options`](Self::resume_options) accept them.
    /// The run itself stays as it is, whether it has ended or not.
    ///
    /// The fork gets the name that [`run_id`](Self::run_id) says, or one of its own.
    ///
    /// ```
    /// # #![allow(dead_code, reason = "no process is declared here")]
    /// # use cot_core::{Process, RunError, Runner};
    /// async fn again<P: Process<State = Vec<String>>>(runner: &Runner<P>) -> Result<(), RunError> {
    ///     let fork = runner.fork("order-17", 3)?.change_state(|notes| notes.clear());
    ///     let run = fork.create().await?.finish().await?;
    ///     println!("{:?}: {:?}", run.run_id, run.outcome);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// If the runner has no store, the name is none, or a model is missing or can't take what it would be
    /// asked.
    pub fn fork(&self, run: impl AsRef<str>, steps: u64) -> Result<ForkRun<P>, RunError> {
        self.check(None)?;
        let store = Arc::clone(self.config.store.as_ref().ok_or(RunError::NoStore)?);
        let run: RunId = run.as_ref().parse()?;
        let fork = Fork::of(run.clone()).at(steps);
        Ok(ForkRun { runner: self.clone(), store, run, steps, fork, changes: Vec::new() })
    }
}

impl<P: Process> ForkRun<P> {
    /// Changes the state; after its migration, if [`resume_options`](Runner::resume_options) have one.
    pub fn change_state(mut self, change: impl FnOnce(&mut P::State) + Send + 'static) -> Self {
        self.changes.push(Box::new(change));
        self
    }

    /// Gives the fork another goal.
    pub fn goal(mut self, goal: impl Into<String>) -> Self {
        self.fork = self.fork.goal(goal);
        self
    }

    /// Creates the fork, which goes on once it is polled.
    ///
    /// # Errors
    ///
    /// If the run is not known, has not come so far, or there is a run of the new name already; if the present
    /// code can't go on from there, as far as [`resume_options`](Runner::resume_options) allow it; and if the
    /// store can't be read or written.
    pub async fn create(self) -> Result<ActiveRun<P>, RunError> {
        let Self { runner, store, run, steps, mut fork, changes } = self;
        let new = runner.run_id.clone().unwrap_or_else(|| Ok(fresh_id()))?;
        // What could not go on is not made: its name would be taken, and it would be refused for ever.
        let mut machine = runner.config.resumed(snapshot_at(&*store, &run, steps).await?)?;
        if !changes.is_empty() {
            machine.change_state(|state| changes.into_iter().for_each(|change| change(state)));
            fork = fork.adopt_state(machine.snapshot()?);
        }
        fork.create(&*store, &new, now()).await?;
        runner.resume(new)
    }
}

impl<P: Process> fmt::Debug for ForkRun<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForkRun")
            .field("run", &self.run)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
