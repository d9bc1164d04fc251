//! Submissions: runs that are stored before they have begun.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    time::{Duration, SystemTime},
};

use cot_engine::{Budget, MachineOptions};
use cot_model::TraceContext;
use cot_schema::internal::shallow;
use serde::Serialize;

use crate::{
    millis::round_to_millis,
    record::{Record, RunSubmitted},
    run_id::RunId,
};

/// A run to be begun by a worker, in this program or another. It needs no types of the process: the worker
/// reads the state into its type, and [sets the run aside](crate::Store::set_aside) when it can't.
///
/// ```
/// use std::time::SystemTime;
///
/// use cot_core::store::{MemoryStore, Status, Store, Submission};
/// use serde_json::json;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let store = MemoryStore::default();
/// let order = Submission::new("Orders", &json!({ "text": "a lamp" }), SystemTime::now())?;
/// let run = store.submit(order.run_id("order-17".parse()?)).await?;
/// let summary = store.run(&run).await?.expect("it was submitted");
/// assert_eq!(summary.status, Status::Queued);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct Submission {
    run: Option<RunId>,
    record: RunSubmitted,
}

impl Submission {
    /// Creates the submission of a run of this process with this state, at the time `now`.
    ///
    /// # Errors
    ///
    /// If the state can't be written as JSON.
    pub fn new<S: Serialize + ?Sized>(
        process: impl Into<String>,
        state: &S,
        now: SystemTime,
    ) -> serde_json::Result<Self> {
        let record = RunSubmitted {
            at: round_to_millis(now),
            process: process.into(),
            state: serde_json::value::to_raw_value(state).and_then(shallow)?,
            goal: None,
            max_steps: None,
            timeout: None,
            budget: None,
            trace: None,
        };
        Ok(Self { run: None, record })
    }

    /// Sets the name of the run. Without it, the run gets a generated one.
    #[must_use]
    pub fn run_id(mut self, run: RunId) -> Self {
        self.run = Some(run);
        self
    }

    /// Sets the goal and the limits that these options have. The others are those of the worker.
    #[must_use]
    pub fn options(mut self, options: &MachineOptions) -> Self {
        let MachineOptions { goal, max_steps, timeout, budget, .. } = options;
        self.record.goal.clone_from(goal);
        (self.record.max_steps, self.record.timeout) = (*max_steps, *timeout);
        self.record.budget = *budget;
        self
    }

    /// Sets the goal.
    #[must_use]
    pub fn goal(mut self, goal: impl Into<String>) -> Self {
        self.record.goal = Some(goal.into());
        self
    }

    /// Sets the maximum number of steps.
    #[must_use]
    pub const fn max_steps(mut self, steps: u64) -> Self {
        self.record.max_steps = Some(steps);
        self
    }

    /// Sets the time limit of all calls together.
    #[must_use]
    pub const fn timeout(mut self, limit: Duration) -> Self {
        self.record.timeout = Some(limit);
        self
    }

    /// Sets the budget.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.record.budget = Some(budget);
        self
    }

    /// Sets the trace that the run belongs to.
    #[must_use]
    pub fn trace_context(mut self, caller: TraceContext) -> Self {
        self.record.trace = Some(caller);
        self
    }

    /// Returns the name of the run, which is generated if none was set, and the first record of its journal:
    /// for implementations of [`Store::submit`](crate::Store::submit).
    #[must_use]
    pub fn into_record(self) -> (RunId, Record) {
        let run = self.run.unwrap_or_else(|| RunId::fresh(self.record.at, chance()));
        (run, Record::Submitted(self.record))
    }
}

/// Makes a random number of the keys that the standard library makes for hash tables.
fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}
