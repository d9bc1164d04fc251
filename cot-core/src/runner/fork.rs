//! A run that is made of another.

use std::{fmt, sync::Arc};

use serde_json::Value;

use super::{ActiveRun, RunError, Runner, opening::fresh_id};
use crate::{
    Process, SnapshotError,
    store::{Fork, RunId, Store, snapshot_at},
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
        self.check()?;
        let store = Arc::clone(self.config.store.as_ref().ok_or(RunError::NoStore)?);
        let run: RunId = run.as_ref().parse()?;
        let fork = Fork::of(run.clone()).at(steps);
        Ok(ForkRun { runner: self.clone(), store, run, steps, fork, changes: Vec::new() })
    }
}

impl<P: Process> ForkRun<P> {
    /// Changes the state.
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
    /// If the run is not known, has not come so far, or there is a run of the new name already; if the state is
    /// to be changed and is not one of the present code; and if the store can't be read or written.
    pub async fn create(self) -> Result<ActiveRun<P>, RunError> {
        let Self { runner, store, run, steps, mut fork, changes } = self;
        let new = runner.run_id.clone().unwrap_or_else(fresh_id)?;
        if !changes.is_empty() {
            let snapshot = snapshot_at(&*store, &run, steps).await?;
            let state = changed::<P>(snapshot.state().get(), changes)?;
            fork = fork.change_state(move |old| *old = state);
        }
        fork.create(&*store, &new).await?;
        runner.resume(new)
    }
}

fn changed<P: Process>(
    state: &str,
    changes: Vec<Change<P::State>>,
) -> Result<Value, SnapshotError> {
    let mut json = serde_json::Deserializer::from_str(state);
    let mut state: P::State = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        SnapshotError::UnreadableState { path, source: error.into_inner() }
    })?;
    for change in changes {
        change(&mut state);
    }
    serde_json::to_value(state).map_err(SnapshotError::UnwritableState)
}

impl<P: Process> fmt::Debug for ForkRun<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForkRun")
            .field("run", &self.run)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
