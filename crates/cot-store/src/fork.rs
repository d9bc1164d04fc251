//! Forks: new runs that continue an earlier step of another run.

use std::time::SystemTime;

use cot_engine::Snapshot;
use cot_model::internal::collect_blobs;
use serde_json::{Value, value::RawValue};

use crate::{
    error::StoreError,
    journal::journal::{RecoveredRun, corrupt_entry},
    record::{Origin, Record, RunStarted},
    run_id::RunId,
    status::Status,
    store::Store,
};

/// Reads the snapshot of a run after the given number of steps, without the events since that step.
///
/// # Errors
///
/// [`StoreError::UnknownRun`]; [`StoreError::NotBegun`]; [`StoreError::UnknownStep`] if the run has not reached the step, or is a fork
/// of a later step; [`StoreError::Corrupt`] for the first entry that can't be parsed;
/// [`StoreError::MissingBlob`] and [`StoreError::CorruptBlob`] for an image or a document that is missing or
/// damaged; other errors when the store can't be read.
pub async fn snapshot_at(
    store: &dyn Store,
    run: &RunId,
    steps: u64,
) -> Result<Snapshot, StoreError> {
    parse_snapshot(run, &recover_at(store, run, Some(steps)).await?)
}

/// A fork of a run: a new run that continues an earlier step of it (*time travel*). The original run stays
/// unchanged.
///
/// ```
/// use std::time::SystemTime;
///
/// use cot_core::store::{Fork, MemoryStore};
/// # use cot_core::{CotOutput, cot_process, model::ScriptedModel};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// #
/// # #[derive(Clone, Default, Serialize, Deserialize)]
/// # pub struct Letter {
/// #     name: String,
/// #     text: String,
/// # }
/// #
/// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Said {
/// #     text: String,
/// # }
/// #
/// # cot_process! {
/// #     pub process Letters {
/// #         state: Letter,
/// #         task ask -> Said { prompt: "Whom?", update: { name = output.text }, next: write }
/// #         task write -> Said {
/// #             prompt: "Write to ${state.name}.", update: { text = output.text }, next: done,
/// #         }
/// #         task done { end }
/// #     }
/// # }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// # let store = MemoryStore::default();
/// # let model = ScriptedModel::new([r#"{"text":"Anna"}"#, r#"{"text":"Dear Anna"}"#]);
/// # Letters::runner().model(model).store(store.clone()).run_id("letter").run(Letter::default()).await?;
/// // The run `letter` has asked for a name and written to it.
/// let fork = Fork::new("letter".parse()?).at(1).change_state(|state| state["name"] = "Ben".into());
/// fork.create(&store, &"another".parse()?, SystemTime::now()).await?;
///
/// let model = ScriptedModel::new([r#"{"text":"Dear Ben"}"#]);
/// let run = Letters::runner().model(model).store(store).resume("another")?.await?;
/// assert_eq!(run.state.text, "Dear Ben");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[must_use = "nothing is forked before `create` is called"]
pub struct Fork {
    run: RunId,
    steps: Option<u64>,
    goal: Option<String>,
    changes: Vec<StateEdit>,
    repeats_calls: bool,
    /// A snapshot that the present code took of the same run, instead of the stored one.
    migrated: Option<Box<Snapshot>>,
}

/// A function that changes the state, as JSON.
type StateEdit = Box<dyn FnOnce(&mut Value) + Send>;

impl Fork {
    /// Creates a fork of the last step of a run.
    pub const fn new(run: RunId) -> Self {
        Self {
            run,
            steps: None,
            goal: None,
            changes: Vec::new(),
            repeats_calls: false,
            migrated: None,
        }
    }

    /// Forks the run after the given number of steps, just before its next step; 0 is the start of the run.
    /// A timer that had elapsed by then is not waited for again.
    pub const fn at(mut self, steps: u64) -> Self {
        self.steps = Some(steps);
        self
    }

    /// Changes the state, as JSON. That the result is a valid state is checked when the fork is resumed.
    pub fn change_state(mut self, change: impl FnOnce(&mut Value) + Send + 'static) -> Self {
        self.changes.push(Box::new(change));
        self
    }

    /// Replaces the goal.
    pub fn goal(mut self, goal: impl Into<String>) -> Self {
        self.goal = Some(goal.into());
        self
    }

    /// Makes the calls with `effect: once` again that the original run has made or begun at the task with which the
    /// fork starts. Without this, such a task is not started: it fails as interrupted, and takes its route of `on` for
    /// that or halts the fork. Calls of later tasks are calls of the fork.
    pub const fn repeat_calls(mut self) -> Self {
        self.repeats_calls = true;
        self
    }

    /// Replaces the stored snapshot by one that the present code took of the same step of the run.
    #[doc(hidden)]
    pub fn adopt(mut self, migrated: Snapshot) -> Self {
        self.migrated = Some(Box::new(migrated));
        self
    }

    /// Writes the fork to the store, with the start time `now`, under a name that no run has yet. It starts
    /// when a runner resumes it. If the process has changed since, the same rules apply as to the original run:
    /// the [`ResumeOptions`](cot_engine::ResumeOptions) of the runner have to resolve the conflicts.
    ///
    /// # Errors
    ///
    /// The errors of [`snapshot_at`]; [`StoreError::RunExists`] when a run has that name already; other
    /// errors when the store can't be written.
    pub async fn create(
        self,
        store: &dyn Store,
        new: &RunId,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let recovered = recover_at(store, &self.run, self.steps).await?;
        let mut snapshot = parse_snapshot(&self.run, &recovered)?;
        let failed = |source: serde_json::Error| StoreError::Failed {
            what: format!("writing a fork of run `{}`", self.run),
            source: source.into(),
        };
        let mut status = recovered.status.clone();
        if let Some(migrated) = self.migrated {
            snapshot = *migrated;
            if snapshot.task() != status.task() {
                status = Status::Running { task: snapshot.task().to_owned() };
            }
        }
        if !self.repeats_calls {
            snapshot.set_events(recovered.answers());
            snapshot.interrupt();
        }
        if let Some(goal) = self.goal {
            snapshot.set_goal(goal);
        }
        if !self.changes.is_empty() {
            let mut state = serde_json::from_str(snapshot.state().get()).map_err(failed)?;
            self.changes.into_iter().for_each(|change| change(&mut state));
            snapshot.set_state(&state).map_err(failed)?;
        }
        let (text, blobs) = collect_blobs(|| snapshot.to_json());
        let text = text.map_err(failed)?;
        let begun = RunStarted {
            at: now,
            process: recovered.process,
            origin: Some(Origin { run: self.run.clone(), steps: recovered.steps }),
            snapshot: RawValue::from_string(text).map_err(failed)?,
            blobs,
            status,
            trace: None,
        };
        let lease = store.acquire(new).await?;
        store.append(&lease, vec![Record::Begun(begun)]).await
    }
}

async fn recover_at(
    store: &dyn Store,
    run: &RunId,
    steps: Option<u64>,
) -> Result<RecoveredRun, StoreError> {
    let unknown = || StoreError::UnknownRun { run: run.clone() };
    let summary = store.run(run).await?.ok_or_else(unknown)?;
    let first = summary.origin.as_ref().map_or(0, |origin| origin.steps);
    if let Some(step) = steps.filter(|step| !(first..=summary.steps).contains(step)) {
        let last = summary.steps;
        return Err(StoreError::UnknownStep { run: run.clone(), step, first, last });
    }
    let queued = || StoreError::NotBegun { run: run.clone() };
    RecoveredRun::load(store, run, steps.or(Some(u64::MAX))).await?.ok_or_else(queued)
}

fn parse_snapshot(run: &RunId, recovered: &RecoveredRun) -> Result<Snapshot, StoreError> {
    let last = recovered.next.saturating_sub(1);
    let snapshot = Snapshot::from_json(&recovered.snapshot);
    let mut snapshot = snapshot.map_err(|error| corrupt_entry(run, last, error))?;
    snapshot.add_blobs(recovered.blobs.clone());
    Ok(snapshot)
}
