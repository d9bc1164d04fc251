//! Resuming runs from snapshots.

use std::{mem, sync::Arc};

use cot_model::internal::with_blobs;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{
    machine::{
        host::TypedHost,
        machine::{ActiveRun, Machine},
    },
    process::{process::Process, tables::Definition},
    run::{restore::restore as run_from, restore_context::find_task, run::Run},
    snapshot::{
        compute::process_fingerprint,
        data::{Delivery, LastOutput, PositionData, Snapshot, check_format},
        error::SnapshotError,
        fingerprint::{Difference, Fingerprint},
        options::{MigrateState, ResumeOptions},
    },
    values::{
        catch::catch_panic,
        outcome::{Ending, Halt},
        panicked::describe_panic,
    },
};

impl<P: Process> Machine<P> {
    /// Creates a machine that continues from a snapshot: its next poll returns the same directives as the
    /// machine of the snapshot would, with the same ids.
    ///
    /// # Errors
    ///
    /// If the snapshot has another format, process, graph or state type, if its prompts or schemas differ and
    /// the options do not allow it, or if its state does not deserialize.
    pub fn resume(snapshot: Snapshot, options: ResumeOptions) -> Result<Self, SnapshotError> {
        Self::resume_with(snapshot, &options)
    }

    /// Like [`resume`](Self::resume), with borrowed options, to resume several snapshots.
    #[doc(hidden)]
    pub fn resume_with(snapshot: Snapshot, options: &ResumeOptions) -> Result<Self, SnapshotError> {
        let restored = catch_panic(|| restore::<P>(snapshot, options));
        let restored = restored.map_err(|panic| SnapshotError::Panicked(describe_panic(&*panic)));
        let (run, host) = restored.flatten()?;
        Ok(Self {
            options: run.facts.options.clone(),
            hooks: Arc::default(),
            is_recording: false,
            active: Some(ActiveRun::new(run, host)),
        })
    }
}

/// Restores a run and its typed host from a snapshot, with sub-processes.
pub(super) fn restore<P: Process>(
    mut snapshot: Snapshot,
    options: &ResumeOptions,
) -> Result<(Run, TypedHost<P>), SnapshotError> {
    let blobs = mem::take(&mut snapshot.blobs);
    with_blobs(&blobs, || restore_fields(snapshot, options))
}

fn restore_fields<P: Process>(
    mut snapshot: Snapshot,
    options: &ResumeOptions,
) -> Result<(Run, TypedHost<P>), SnapshotError> {
    if options.retries_halted
        && let PositionData::Finished(Ending::Halted(Halt { task, .. })) = &snapshot.position
    {
        let arrival = Delivery { task: task.clone(), inputs: snapshot.halted_inputs.take() };
        snapshot.position = PositionData::At { arrival, has_waited: true };
    }
    let migrates = check(&snapshot, P::DEFINITION, process_fingerprint::<P>(), options)?;
    let migration = options.migration.as_deref().filter(|_| migrates);
    let state = read_state(&snapshot.state, migration)?;
    let mut host = TypedHost::new(state, false);
    let last_output = snapshot.last_output.take();
    let run = run_from(snapshot, options, P::DEFINITION, &host)?;
    if let Some(LastOutput { task, output }) = last_output {
        let task = find_task(P::DEFINITION, &task)?;
        let value = serde_json::from_str(output.get()).map_err(SnapshotError::NotASnapshot)?;
        host.restore_last(task, value);
    }
    Ok((run, host))
}

/// Checks the snapshot against the process. Returns whether the state must be migrated.
fn check(
    snapshot: &Snapshot,
    definition: &'static Definition,
    present: &Fingerprint,
    options: &ResumeOptions,
) -> Result<bool, SnapshotError> {
    check_format(snapshot.format)?;
    if snapshot.process != definition.about.name {
        let found = snapshot.process.clone();
        return Err(SnapshotError::Process { found, expected: definition.about.name });
    }
    let old = &snapshot.fingerprint;
    if let Some(difference) = Difference::between(&old.graph, &present.graph) {
        let Difference { added, removed, changed } = difference;
        return Err(SnapshotError::Graph { added, removed, changed });
    }
    let has_migration = options.migration.is_some();
    let state = Difference::between(&old.state, &present.state);
    let schemas = Difference::between(&old.schemas, &present.schemas);
    let prompts = Difference::between(&old.prompts, &present.prompts);
    let differs = state.is_some();
    // A finished run sends no more prompts.
    let is_over = matches!(snapshot.position, PositionData::Finished(_));
    match (state, schemas, prompts) {
        (Some(types), _, _) if !has_migration => {
            Err(SnapshotError::StateType { types: types.names() })
        }
        (_, Some(tasks), _) if !has_migration => {
            Err(SnapshotError::Schemas { tasks: tasks.names() })
        }
        (_, _, Some(tasks)) if !options.accepts_changed_prompts && !is_over => {
            Err(SnapshotError::Prompts { tasks: tasks.names() })
        }
        _ => Ok(differs),
    }
}

fn read_state<S: DeserializeOwned>(
    state: &RawValue,
    migration: Option<&MigrateState>,
) -> Result<S, SnapshotError> {
    let Some(migrate) = migration else {
        let mut json = serde_json::Deserializer::from_str(state.get());
        return serde_path_to_error::deserialize(&mut json).map_err(state_error);
    };
    let old = serde_json::from_str(state.get())
        .map_err(|source| SnapshotError::UnreadableState { path: "$".to_owned(), source })?;
    let new = migrate(old).map_err(SnapshotError::Migration)?;
    serde_path_to_error::deserialize(new).map_err(state_error)
}

fn state_error(error: serde_path_to_error::Error<serde_json::Error>) -> SnapshotError {
    let path = error.path().to_string();
    SnapshotError::UnreadableState { path, source: error.into_inner() }
}
