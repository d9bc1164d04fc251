//! Puts stored runs through this build.

use std::sync::Arc;

use cot_engine::{IntoContext, Machine, MachineOptions, Process, Snapshot};
use cot_model::internal::with_blobs;
use cot_store::{
    Record, RunFilter, RunId, Status, Store, StoreError,
    internal::{RecoveredRun, read_journal},
};
use serde_json::Value;

use super::{
    path::Path,
    retraced::{Course, Retraced},
};

/// Puts the stored runs of a process through this build, without a call: says of each whether it would have done the
/// same, and where not.
///
/// Each run starts again in its first state and with its goal, and receives what its journal says: replies, results of
/// functions, answers of people. So a changed prompt, guard, check or edge shows in all runs of last month before it is
/// released. What a model would reply to another prompt is not known, so a run is followed up to its first difference.
///
/// Compared are the calls with their order, the prompts of model calls by part, and the end with the last state. The
/// settings of calls, schemas and questions to people are not in journals.
///
/// `filter` chooses among the runs of the process. Functions that the engine calls itself (guards, checks, updates,
/// `process_output`) run; those of tasks and tools do not. The limits of the runs and changes of their state from outside
/// are not in their journals: a run that had them can differ from itself.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// # use cot_core::{Process, store::{MemoryStore, RunFilter, StoreError}};
/// # #[allow(dead_code, reason = "no process is declared here")]
/// async fn compare<P: Process<Context = ()>>(store: &MemoryStore) -> Result<(), StoreError> {
///     let retraced = cot_core::eval::retrace::<P>((), store, RunFilter::default()).await?;
///     print!("{retraced}");
///     Ok(())
/// }
/// # });
/// ```
///
/// # Errors
///
/// If the store can't be read. A run whose journal can't be read is [unclear](Course::Unclear).
pub async fn retrace<P: Process>(
    context: impl IntoContext<P::Context>,
    store: &dyn Store,
    mut filter: RunFilter,
) -> Result<Retraced, StoreError> {
    filter.process = Some(P::DEFINITION.about.name.to_owned());
    let context = context.into_context();
    let mut retraced = Retraced::default();
    for run in store.runs(&filter).await? {
        let course = match follow::<P>(&context, store, &run.run).await {
            Ok(course) => course,
            Err(error @ (StoreError::Corrupt { .. } | StoreError::NotBegun { .. })) => {
                Course::Unclear(error.to_string())
            }
            Err(error) => return Err(error),
        };
        retraced.runs.push((run.run, course));
    }
    Ok(retraced)
}

async fn follow<P: Process>(
    context: &Arc<P::Context>,
    store: &dyn Store,
    run: &RunId,
) -> Result<Course, StoreError> {
    let Some(start) = RecoveredRun::load(store, run, Some(0)).await? else {
        return Ok(Course::Unclear("it has not begun".to_owned()));
    };
    let machine = match started::<P>(context, &start) {
        Ok(machine) => machine,
        Err(why) => return Ok(Course::Unclear(why)),
    };
    let (mut path, mut left) = (Path::new(machine), None);
    let summary = read_journal(store, run, |entry| match entry.record {
        Record::Begun(begun) if begun.origin.is_some() => {
            left = Some(Course::Unclear("it is a fork".to_owned()));
        }
        Record::Event(event) if left.is_none() => left = path.follow(event).err(),
        _ => {}
    });
    let summary = summary.await?;
    if let Some(left) = left {
        return Ok(left);
    }
    let ended = match summary.map(|summary| summary.status) {
        Some(Status::Ended { task, .. }) => Some((task, last_state(store, run).await?)),
        _ => None,
    };
    Ok(path.arrive(ended))
}

/// Returns the last state of a run; null if it can't be read.
async fn last_state(store: &dyn Store, run: &RunId) -> Result<Value, StoreError> {
    let last = RecoveredRun::load_without_blobs(store, run, None).await?;
    let snapshot = last.and_then(|last| Snapshot::from_json(&last.snapshot).ok());
    let state = snapshot.and_then(|snapshot| serde_json::from_str(snapshot.state().get()).ok());
    Ok(state.unwrap_or_default())
}

/// Starts a run in the first state of another one. The error says why it can't be.
fn started<P: Process>(
    context: &Arc<P::Context>,
    start: &RecoveredRun,
) -> Result<Machine<P>, String> {
    let snapshot = Snapshot::from_json(&start.snapshot).map_err(|error| error.to_string())?;
    let state = with_blobs(&start.blobs, || serde_json::from_str(snapshot.state().get()));
    let state = state.map_err(|error| format!("this build can't read its first state: {error}"))?;
    let mut options = MachineOptions::default();
    options.goal = Some(snapshot.goal().to_owned()).filter(|goal| !goal.is_empty());
    let mut machine = Machine::<P>::with_context(Arc::clone(context)).options(options);
    machine.start(state).map_err(|error| format!("this build can't start it: {error}"))?;
    Ok(machine)
}
