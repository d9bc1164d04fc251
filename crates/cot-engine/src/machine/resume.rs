//! Resuming runs from snapshots.

use std::{borrow::Borrow, mem, sync::Arc};

use cot_model::internal::with_blobs;
use cot_schema::internal::{LocatedError, read_located};
use serde::de::DeserializeOwned;
use serde_json::{Value, value::RawValue};

use crate::{
    machine::{
        host::TypedHost,
        machine::{ActiveRun, Machine},
        outline_version::OutlineVersion,
        typed_outline::outline_of,
    },
    process::{
        context::IntoContext,
        environment::Environment,
        process::Process,
        tables::{Definition, TaskIndex},
    },
    protocol::key::call_key::VisitKey,
    run::{restore::restore as run_from, restore_context::find_task, run::Run},
    snapshot::{
        data::{LastOutput, Snapshot, check_format},
        error::SnapshotError,
        fit::fit,
        options::ResumeOptions,
    },
    values::{catch::catch_panic, panicked::describe_panic},
};

impl<P: Process> Machine<P> {
    /// Creates a machine that continues from a snapshot: its next poll returns the same directives as the
    /// machine of the snapshot would, with the same ids.
    ///
    /// # Errors
    ///
    /// If the snapshot has another format or process, if the process has changed in a way that keeps the run
    /// from continuing and the options do not resolve it, or if the state does not deserialize.
    pub fn resume(
        snapshot: Snapshot,
        options: impl Borrow<ResumeOptions>,
    ) -> Result<Self, SnapshotError>
    where
        P: Process<Context = ()>,
    {
        Self::resume_with_context(snapshot, options, (), "")
    }

    /// Like [`resume`](Self::resume), with the context of the run and its id, which the functions receive.
    ///
    /// # Errors
    ///
    /// Those of [`resume`](Self::resume).
    pub fn resume_with_context(
        snapshot: Snapshot,
        options: impl Borrow<ResumeOptions>,
        context: impl IntoContext<P::Context>,
        run_id: &str,
    ) -> Result<Self, SnapshotError> {
        let options = options.borrow();
        let run_id = (!run_id.is_empty()).then(|| run_id.into());
        let environment = Environment::new(context.into_context()).with_run_id(run_id);
        let restored = catch_panic(|| {
            let mut snapshot = snapshot;
            fit(&mut snapshot, &OutlineVersion(outline_of::<P>()), options)?;
            restore::<P>(snapshot, options, environment.clone(), None)
        });
        let restored = restored.map_err(|panic| SnapshotError::Panicked(describe_panic(&*panic)));
        let (run, host) = restored.flatten()?;
        Ok(Self {
            options: Arc::clone(&run.facts.options),
            hooks: Arc::default(),
            environment,
            is_recording: false,
            active: Some(ActiveRun::new(run, host)),
        })
    }
}

/// Restores a run and its typed host from a snapshot, with sub-processes.
pub(super) fn restore<P: Process>(
    mut snapshot: Snapshot,
    options: &ResumeOptions,
    environment: Environment<P>,
    outer: Option<Arc<[VisitKey]>>,
) -> Result<(Run, TypedHost<P>), SnapshotError> {
    let blobs = mem::take(&mut snapshot.blobs);
    with_blobs(&blobs, || restore_fields(snapshot, options, environment, outer))
}

fn restore_fields<P: Process>(
    mut snapshot: Snapshot,
    options: &ResumeOptions,
    environment: Environment<P>,
    outer: Option<Arc<[VisitKey]>>,
) -> Result<(Run, TypedHost<P>), SnapshotError> {
    check_process(&snapshot, P::DEFINITION)?;
    let mut state = read_state(&snapshot.state)?;
    options.complete_state(&mut state);
    let mut host = TypedHost::new(state, environment, false);
    let last_output = take_last_output(&mut snapshot, P::DEFINITION)?;
    let run = run_from(snapshot, options, P::DEFINITION, &host, outer)?;
    if let Some((task, output)) = last_output {
        host.restore_last(task, output);
    }
    Ok((run, host))
}

fn check_process(snapshot: &Snapshot, definition: &Definition) -> Result<(), SnapshotError> {
    check_format(snapshot.format)?;
    let (found, expected) = (&*snapshot.process, definition.about.name);
    if found != expected {
        let (found, expected) = (found.to_owned(), expected.to_owned());
        return Err(SnapshotError::Process { found, expected });
    }
    Ok(())
}

fn take_last_output(
    snapshot: &mut Snapshot,
    definition: &Definition,
) -> Result<Option<(TaskIndex, Value)>, SnapshotError> {
    let Some(LastOutput { task, output }) = snapshot.last_output.take() else { return Ok(None) };
    let value = serde_json::from_str(output.get()).map_err(SnapshotError::NotASnapshot)?;
    Ok(Some((find_task(definition, &task)?, value)))
}

fn read_state<S: DeserializeOwned>(state: &RawValue) -> Result<S, SnapshotError> {
    read_located(state.get())
        .map_err(|LocatedError { path, source }| SnapshotError::UnreadableState { path, source })
}
