//! The worker and its options.

use std::{convert::Infallible, fmt, future::pending, pin::pin, sync::Arc, time::Duration};

use cot_engine::Process;
use cot_store::Store;

use crate::{
    runner::builder::Runner,
    worker::{error::WorkerError, event::WorkerEvent, settings::Settings, shift::Shift},
};

/// Drives every run of its processes in a store: submitted ones, those whose driver has died, and waiting ones
/// whose answer is stored or whose time has come. See the guide on workers.
///
/// Several workers, in one program or in many, share a store: each run has one driver at a time. A worker needs a
/// tokio runtime with time enabled. Dropping its future drops its runs, which is safe at any time: they continue
/// from their journals.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// use cot_core::{model::ScriptedModel, prelude::*, store::{MemoryStore, Store}};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
/// struct Greeting { text: String }
///
/// cot_process! {
///     process Greeter {
///         state: Greeting,
///         task greet -> Greeting { prompt: "Greet the world.", update: { text = output.text }, next: done }
///         task done { end }
///     }
/// }
///
/// let store = MemoryStore::default();
/// let runner = Greeter::runner().model(ScriptedModel::new([json!({ "text": "Hello" })]));
/// // In this program or another: the run is stored, and a worker begins it.
/// let run = runner.clone().store(store.clone()).submit(&Greeting::default()).await?;
///
/// // A service calls `run` or `run_until`.
/// runner.worker(store.clone()).run_until_idle().await?;
/// assert!(store.run(&run).await?.is_some_and(|run| run.status.is_ended()));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[must_use = "a worker does nothing unless it runs"]
pub struct Worker {
    settings: Settings,
}

impl<P: Process> Runner<P> {
    /// Creates a worker that drives every run of this process in a store.
    ///
    /// Its runs are those of this runner, with its models, hooks and observers; the goal and the limits of a run
    /// are those with which it was begun or submitted. [`run_id`](Self::run_id) has no effect on them.
    pub fn worker(&self, store: impl Store + 'static) -> Worker {
        let worker = Worker { settings: Settings::new(Arc::new(store)) };
        worker.serve(self.clone())
    }
}

impl Worker {
    /// Adds a process.
    pub fn serve<P: Process>(mut self, runner: Runner<P>) -> Self {
        let store = Arc::clone(&self.settings.store);
        let runner = runner.configure(|config| config.set_store(store));
        self.settings.processes.push(Arc::new(runner));
        self
    }

    /// Sets how many runs are in memory at once, at least 1. Default: 64. A run that waits for a person or a
    /// timer is not in memory.
    pub fn max_runs(mut self, runs: usize) -> Self {
        self.settings.max_runs = runs.max(1);
        self
    }

    /// Sets how often the worker looks for due runs. Default: as the [store](Store::poll_interval) says, which is
    /// every 250 ms, or every second for a store that tells it of [due runs](Store::wait_for_due). While more runs are
    /// due than it has room for, it looks whenever a quarter of the room is free.
    pub const fn poll_interval(mut self, interval: Duration) -> Self {
        self.settings.poll_interval = Some(interval);
        self
    }

    /// Sets after how many crashes at the same entry of its journal a run is set aside, at least 1. Default: 5.
    ///
    /// A crash is the death of a program that drives the run, or a panic while the run is resumed. The first two
    /// count for all runs that the program was driving. A worker drives one run at a time that has two, until its
    /// journal grows, so that each further crash counts for one run. Therefore neither a run that kills its program
    /// nor kills from outside set other runs aside, unless they hit the same run again and again. With 2, a run is
    /// set aside after one such crash; with 1, all runs that a dead program was driving are set aside.
    pub const fn max_crashes(mut self, crashes: u32) -> Self {
        self.settings.max_crashes = if crashes == 0 { 1 } else { crashes };
        self
    }

    /// Sets how long [`run_until`](Self::run_until) waits for runs to reach a durable point when it stops.
    /// Default: 10 s.
    pub const fn grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// Adds an observer, which is called with every event of the worker. A panic in it affects neither the
    /// worker nor other observers.
    pub fn observe(mut self, observer: impl Fn(&WorkerEvent) + Send + Sync + 'static) -> Self {
        self.settings.observers.add(observer);
        self
    }

    /// Works for ever. A failure of a run or of the store is an event and does not end the work.
    ///
    /// # Errors
    ///
    /// If a runner is not complete, or two are for processes of the same name.
    pub async fn run(self) -> Result<Infallible, WorkerError> {
        self.settings.check()?;
        Shift::new(self.settings).work(pin!(pending())).await?;
        // The work does not end by itself.
        pending().await
    }

    /// Works until `stop` resolves. Then it claims no run any more, and waits at most the
    /// [grace time](Self::grace) until its runs have reached a durable point: until the calls in flight have
    /// ended and their results are stored. It drops the runs that have not; their calls are repeated when they
    /// are resumed.
    ///
    /// ```
    /// # use cot_core::{Worker, WorkerError};
    /// # use tokio::sync::oneshot;
    /// # #[allow(dead_code, reason = "no process is declared here")]
    /// async fn serve(worker: Worker, stop: oneshot::Receiver<()>) -> Result<(), WorkerError> {
    ///     worker.run_until(async { drop(stop.await) }).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`run`](Self::run).
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> Result<(), WorkerError> {
        self.settings.check()?;
        Shift::new(self.settings).work(pin!(stop)).await
    }

    /// Works until no run is due or in memory, for tests. Runs that wait for a person or a timer, and runs of
    /// other versions of the program, are left in the store.
    ///
    /// # Errors
    ///
    /// The errors of [`run`](Self::run), and the first error of the store.
    pub async fn run_until_idle(self) -> Result<(), WorkerError> {
        self.settings.check()?;
        Shift::new(self.settings).run_until_idle().await
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("processes", &self.settings.names())
            .field("max_runs", &self.settings.max_runs)
            .field("poll_interval", &self.settings.poll_interval())
            .field("max_crashes", &self.settings.max_crashes)
            .field("grace", &self.settings.grace)
            .finish_non_exhaustive()
    }
}
