//! Makes a stored run fit the present version of its process.

use super::{
    compatibility::{PresentProcess, Rules, conflicts, is_gone, level_conflicts},
    data::{Delivery, PositionData, Snapshot, check_format},
    error::SnapshotError,
    migration::Migration,
    options::ResumeOptions,
};
use crate::values::{
    catch::catch_panic,
    outcome::{Attempt, Ending, Failure},
    panicked::describe_panic,
};

/// Makes a snapshot fit the present version: migrates it if necessary, and removes what refers to tasks that no
/// longer exist. [`Snapshot::is_moved`] is set if a migration moved the run or its sub-process.
///
/// # Errors
///
/// [`SnapshotError::Incompatible`] with the remaining conflicts; the errors of the migration.
pub(crate) fn fit(
    snapshot: &mut Snapshot,
    present: &dyn PresentProcess,
    options: &ResumeOptions,
) -> Result<(), SnapshotError> {
    let rules = Rules { is_answered: snapshot.is_answered, ..options.rules };
    prepare(snapshot, present, options, rules)?;
    // The calls that were answered are dropped with a move.
    let rules = Rules { is_answered: rules.is_answered && !snapshot.is_moved, ..rules };
    let conflicts = conflicts(snapshot, present, rules);
    if !conflicts.is_empty() {
        return Err(SnapshotError::Incompatible { process: snapshot.process.clone(), conflicts });
    }
    remove_gone_tasks(snapshot, present);
    Ok(())
}

/// Checks and migrates each level.
fn prepare(
    snapshot: &mut Snapshot,
    present: &dyn PresentProcess,
    options: &ResumeOptions,
    rules: Rules,
) -> Result<(), SnapshotError> {
    check_format(snapshot.format)?;
    if options.retries_halted
        && let PositionData::Finished(Ending::Halted(halt)) = &snapshot.position
    {
        let arrival = Delivery::new(halt.task.clone(), snapshot.halted_inputs.take());
        let is_unknown = |attempt: &Attempt| attempt.failure == Failure::Interrupted;
        let is_interrupted = !halt.reason.is_interrupted() && halt.attempts.iter().any(is_unknown);
        snapshot.position = PositionData::At { arrival, has_waited: true, is_interrupted };
        // Who retries a run attends to it.
        let own = snapshot.unattended.iter_mut().filter_map(|limits| limits.own.as_mut());
        own.for_each(|own| own.count_from(snapshot.steps));
    }
    if snapshot.process != present.name() {
        let (found, expected) = (snapshot.process.clone(), present.name().to_owned());
        return Err(SnapshotError::Process { found, expected });
    }
    if let Some(migrate) = &options.migration {
        let conflicts = level_conflicts(snapshot, present, rules);
        if !conflicts.is_empty() {
            let mut migration = Migration::new(snapshot, present, conflicts)?;
            let migrated = catch_panic(|| migrate(&mut migration))
                .map_err(|panic| SnapshotError::MigrationPanicked(describe_panic(&*panic)))?;
            migrated.map_err(SnapshotError::Migration)?;
            migration.apply(snapshot, present)?;
        }
    }
    let mut is_moved = false;
    for (task, process) in snapshot.position.processes_mut() {
        let inner = present.task(task).and_then(|task| task.process);
        if let Some(inner) = inner.filter(|inner| inner.name() == process.process) {
            // The events may answer its calls.
            process.acted_since = snapshot.acted_since;
            prepare(process, &*inner, options, rules)?;
            is_moved |= process.is_moved;
        }
    }
    snapshot.is_moved |= is_moved;
    Ok(())
}

/// Removes what refers to tasks that no longer exist, except in the position and the callers, which have none.
fn remove_gone_tasks(snapshot: &mut Snapshot, present: &dyn PresentProcess) {
    if *snapshot.fingerprint != *present.fingerprint() {
        let stored = &snapshot.fingerprint;
        let exists = |task: &str| !is_gone(task, stored, present);
        snapshot.out_of_budget.retain(|task| exists(task));
        snapshot.last_output.take_if(|last| !exists(&last.task));
        snapshot.last_failure.take_if(|halt| !exists(&halt.task));
        if matches!(snapshot.position, PositionData::Finished(_)) {
            snapshot.callers.retain(|caller| exists(&caller.task));
            let takes_inputs =
                present.task(snapshot.task()).is_some_and(|present| present.takes_inputs);
            snapshot.halted_inputs.take_if(|_| !takes_inputs);
        }
    }
    for (task, process) in snapshot.position.processes_mut() {
        if let Some(inner) = present.task(task).and_then(|task| task.process) {
            remove_gone_tasks(process, &*inner);
        }
    }
}
