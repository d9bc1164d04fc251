//! Forks of runs by a runner.

use std::{fmt, sync::Arc};

use cot_engine::Process;
use cot_store::{Fork, RunId, Store, snapshot_at};

use crate::{
    clock::now,
    persistence::open_run::generate_run_id,
    runner::{active::ActiveRun, builder::Runner, error::RunError},
};

type StateEdit<S> = Box<dyn FnOnce(&mut S) + Send>;

/// The builder of a fork: a new run that continues an earlier step of another. Made by [`Runner::fork`].
#[must_use = "nothing is forked before `create` is called"]
pub struct ForkRun<P: Process> {
    runner: Runner<P>,
    store: Arc<dyn Store>,
    run: RunId,
    steps: u64,
    fork: Fork,
    changes: Vec<StateEdit<P::State>>,
}

impl<P: Process> Runner<P> {
    /// Starts a fork of a run as of the given number of steps: a new run that continues from there, possibly
    /// with another state, another goal, other models, or other prompts if
    /// [`resume_options`](Self::resume_options) accept them. The original run stays unchanged, whether it
    /// has ended or not.
    ///
    /// The fork gets the name that [`run_id`](Self::run_id) sets, or a generated one.
    ///
    /// ```
    /// # use cot_core::{Process, RunError, Runner};
    /// # #[allow(dead_code, reason = "no process is declared here")]
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
    /// If the runner has no store, the name is not valid, or a model is missing or does not support a
    /// schema.
    pub fn fork(&self, run: impl AsRef<str>, steps: u64) -> Result<ForkRun<P>, RunError> {
        self.config.check(None)?;
        let store = Arc::clone(self.config.store.as_ref().ok_or(RunError::NoStore)?);
        let run: RunId = run.as_ref().parse()?;
        let fork = Fork::new(run.clone()).at(steps);
        Ok(ForkRun { runner: self.clone(), store, run, steps, fork, changes: Vec::new() })
    }
}

impl<P: Process> ForkRun<P> {
    /// Changes the state. If [`resume_options`](Runner::resume_options) have a migration, it is applied
    /// first.
    pub fn change_state(mut self, change: impl FnOnce(&mut P::State) + Send + 'static) -> Self {
        self.changes.push(Box::new(change));
        self
    }

    /// Replaces the goal.
    pub fn goal(mut self, goal: impl Into<String>) -> Self {
        self.fork = self.fork.goal(goal);
        self
    }

    /// Makes the calls of the step again that are made once: see [`Fork::repeat_calls`].
    pub fn repeat_calls(mut self) -> Self {
        self.fork = self.fork.repeat_calls();
        self
    }

    /// Writes the fork to the store and returns it. It starts once it is polled.
    ///
    /// # Errors
    ///
    /// If the original run does not exist or has not reached the step, or a run of the new name exists; if
    /// the present code can't continue from the step and [`resume_options`](Runner::resume_options) do not
    /// allow the difference; and if the store can't be read or written.
    pub async fn create(self) -> Result<ActiveRun<P>, RunError> {
        let Self { runner, store, run, steps, mut fork, changes } = self;
        let new = runner.run_id.clone().unwrap_or_else(|| Ok(generate_run_id()))?;
        // A fork that could never be resumed is not created, since it would occupy its name.
        let snapshot = snapshot_at(&*store, &run, steps).await?;
        let mut machine = runner.typed.resume_machine(&runner.config, snapshot, &new)?;
        if !changes.is_empty() {
            machine.change_state(|state| changes.into_iter().for_each(|change| change(state)));
            fork = fork.adopt(machine.snapshot()?);
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
