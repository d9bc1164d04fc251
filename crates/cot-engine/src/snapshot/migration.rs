//! Migrations: changes of a stored run that make it fit the present version of its process.

use std::{error::Error, mem};

use cot_model::EffectError;
use cot_schema::internal::shallow;
use serde_json::{Value, value::to_raw_value};

use super::{
    compatibility::PresentProcess,
    conflict::ConflictKind,
    data::{Delivery, PositionData, Snapshot},
    difference::VersionDifference,
    error::SnapshotError,
};

/// A stored run in a migration: see
/// [`ResumeOptions::migrate`](crate::snapshot::options::ResumeOptions::migrate).
///
/// If the run is in sub-processes, the migration is called for each of them that does not fit its present
/// version, from the outermost inwards; [`process`](Self::process) returns the name.
#[derive(Debug)]
pub struct Migration {
    process: String,
    task: String,
    state: Value,
    callers: Vec<String>,
    difference: VersionDifference,
    conflicts: Vec<ConflictKind>,
    open_calls: u64,
    settled: Option<EffectError>,
    renamed: Vec<(String, String)>,
    is_moved: bool,
    clears_callers: bool,
    accepts_schema: bool,
}

/// A function that migrates a run.
pub(crate) type Migrate =
    dyn Fn(&mut Migration) -> Result<(), Box<dyn Error + Send + Sync>> + Send + Sync + 'static;

impl Migration {
    /// Returns the name of the process, or of the sub-process.
    #[must_use]
    pub fn process(&self) -> &str {
        &self.process
    }

    /// Returns the name of the task at which the run is, or at which it ended.
    #[must_use]
    pub fn task(&self) -> &str {
        &self.task
    }

    /// Returns the names of the tasks to which the run returns, outermost first.
    #[must_use]
    pub fn callers(&self) -> &[String] {
        &self.callers
    }

    /// Returns the state as JSON.
    #[must_use]
    pub const fn state(&self) -> &Value {
        &self.state
    }

    /// Returns the state as JSON, to change it. An image or a document in it is an object with its digest.
    pub const fn state_mut(&mut self) -> &mut Value {
        &mut self.state
    }

    /// Returns the difference between the version that stored the run and the present one.
    #[must_use]
    pub const fn difference(&self) -> &VersionDifference {
        &self.difference
    }

    /// Returns the conflicts that the migration has to resolve.
    #[must_use]
    pub fn conflicts(&self) -> &[ConflictKind] {
        &self.conflicts
    }

    /// Moves the run to a task, which then starts as if the run had just arrived there. Calls in progress, their
    /// failed attempts and stored replies to them are dropped, with a sub-process in progress; their usage is
    /// kept. Callers are kept if they still exist, up to the task itself.
    ///
    /// If [calls that are made once](Self::open_calls) are dropped and the migration does not
    /// [settle](Self::settle_calls) them, the task is not started: it fails as interrupted, and takes its route of `on`
    /// for that or halts the run.
    ///
    /// The task must exist and take no inputs, and the run must not have ended; otherwise resuming it fails.
    pub fn move_to(&mut self, task: impl Into<String>) {
        self.task = task.into();
        self.is_moved = true;
    }

    /// Returns the number of calls with `effect: once` in the current task, its items, branches, tools and sub-processes,
    /// that were started, unless their functions said that nothing was done, and of those with `effect: transaction` whose
    /// rows are committed. The results of the former are missing, or not committed yet.
    #[must_use]
    pub const fn open_calls(&self) -> u64 {
        self.open_calls
    }

    /// States what became of the [open calls](Self::open_calls), which [a move](Self::move_to) drops: if it is
    /// [`NotDone`](EffectError::NotDone) or [`Done`](EffectError::Done), the run starts at the task to which it is
    /// moved, which has to be one before or after the effect.
    pub const fn settle_calls(&mut self, outcome: EffectError) {
        self.settled = Some(outcome);
    }

    /// States that the task `to` is the one that had the name `from`. If the run is at the task, the visit keeps the keys
    /// of its calls, its answers and its deadline.
    pub fn rename_task(&mut self, from: impl Into<String>, to: impl Into<String>) {
        let (from, to) = (from.into(), to.into());
        for name in self.callers.iter_mut().chain([&mut self.task]).filter(|name| **name == from) {
            name.clone_from(&to);
        }
        self.renamed.push((from, to));
    }

    /// Removes all callers: where the run would return to one of them, it ends.
    pub fn clear_callers(&mut self) {
        self.callers.clear();
        self.clears_callers = true;
    }

    /// Accepts that the schema of the current task has changed after the task asked a model or a person. Calls
    /// in progress, failed attempts and finished items are kept; their replies are read with the present
    /// schema.
    pub const fn accept_changed_schema(&mut self) {
        self.accepts_schema = true;
    }

    pub(super) fn new(
        snapshot: &Snapshot,
        present: &dyn PresentProcess,
        conflicts: Vec<ConflictKind>,
    ) -> Result<Self, SnapshotError> {
        let state = serde_json::from_str(snapshot.state.get())
            .map_err(|source| SnapshotError::UnreadableState { path: "$".to_owned(), source })?;
        Ok(Self {
            process: snapshot.process.clone(),
            task: snapshot.task().to_owned(),
            state,
            callers: snapshot.callers.iter().map(|caller| caller.task.clone()).collect(),
            difference: VersionDifference::between(&snapshot.fingerprint, present.fingerprint()),
            conflicts,
            open_calls: snapshot.once.in_task().saturating_add(snapshot.acted_since),
            settled: None,
            renamed: Vec::new(),
            is_moved: false,
            clears_callers: false,
            accepts_schema: false,
        })
    }

    /// Applies the changes to the snapshot.
    pub(super) fn apply(
        self,
        snapshot: &mut Snapshot,
        present: &dyn PresentProcess,
    ) -> Result<(), SnapshotError> {
        let Self { task, state, is_moved, clears_callers, accepts_schema, open_calls, .. } = self;
        for (from, to) in &self.renamed {
            snapshot.rename_task(from, to);
        }
        snapshot.state =
            to_raw_value(&state).and_then(shallow).map_err(SnapshotError::UnwritableState)?;
        let fingerprint = snapshot.fingerprint.to_mut();
        // That the new state fits is known once it has been read.
        fingerprint.state.clone_from(&present.fingerprint().state);
        if accepts_schema {
            for task in snapshot.position.branch_tasks().into_iter().chain([&*task]) {
                match present.fingerprint().schemas.get(task) {
                    Some(schema) => {
                        fingerprint.schemas.insert(task.to_owned(), schema.clone());
                    }
                    None => drop(fingerprint.schemas.remove(task)),
                }
            }
        }
        if clears_callers {
            snapshot.callers.clear();
            snapshot.position.clear_callers();
        }
        let is_settled = !matches!(self.settled, None | Some(EffectError::Unknown));
        let is_interrupted = open_calls > 0 && !is_settled;
        if is_moved { move_to(snapshot, (task, is_interrupted), present) } else { Ok(()) }
    }
}

fn move_to(
    snapshot: &mut Snapshot,
    (task, is_interrupted): (String, bool),
    present: &dyn PresentProcess,
) -> Result<(), SnapshotError> {
    let why = match present.task(&task) {
        _ if matches!(snapshot.position, PositionData::Finished(_)) => "but the run has ended",
        None => "which the process does not have",
        Some(found) if found.takes_inputs => "which takes inputs",
        Some(_) => "",
    };
    if !why.is_empty() {
        let process = snapshot.process.clone();
        return Err(SnapshotError::InvalidMove { process, task, why });
    }
    snapshot
        .callers
        .retain(|caller| present.task(&caller.task).is_some_and(|present| present.kind == "ai"));
    let place = snapshot.callers.iter().position(|caller| caller.task == task);
    snapshot.callers.truncate(place.unwrap_or(usize::MAX));
    let arrival = Delivery::new(task, None);
    let moved = PositionData::At { arrival, has_waited: false, is_interrupted };
    let position = mem::replace(&mut snapshot.position, moved);
    let mut dropped = position.uncounted_processes();
    while let Some(process) = dropped.pop() {
        snapshot.usage += process.usage;
        snapshot.steps = snapshot.steps.saturating_add(process.steps);
        snapshot.elapsed = snapshot.elapsed.saturating_add(process.elapsed);
        snapshot.last_call = snapshot.last_call.max(process.last_call);
        dropped.extend(process.position.uncounted_processes());
    }
    snapshot.is_moved = true;
    Ok(())
}
