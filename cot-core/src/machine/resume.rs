//! Going on from a snapshot.

use std::{error::Error, fmt, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::{Value, value::RawValue};

use super::{
    Active, Machine, Snapshot, SnapshotError,
    core::Core,
    host::Host,
    panics::caught,
    phase::{Arrival, Phase},
    restore::{delivered, find, inconsistent, phase},
    routing::{Caller, Callers},
    snapshot::{Delivery, LastOutput, Position, check_format},
    typed::Typed,
};
use crate::engine::snapshot::{
    compute::fingerprint_of,
    fingerprint::{Difference, Fingerprint},
};
use crate::{Halt, Process, blueprint::Definition, outcome::Ending, panicked::in_words};

/// What is allowed to differ when a run goes on from a snapshot.
///
/// ```
/// use cot_core::ResumeOptions;
///
/// let options = ResumeOptions::new().accept_changed_prompts().migrate(|mut state| {
///     state["fields"] = serde_json::json!([]);
///     Ok(state)
/// });
/// # let _ = options;
/// ```
#[derive(Default)]
pub struct ResumeOptions {
    accepts_changed_prompts: bool,
    retries_halted: bool,
    migration: Option<Box<MigrateState>>,
}

type MigrateState =
    dyn Fn(Value) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync + 'static;

impl ResumeOptions {
    /// Nothing may differ.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The prompts may differ: the run goes on with the present ones. Those of a run that is over may always
    /// differ.
    #[must_use]
    pub fn accept_changed_prompts(mut self) -> Self {
        self.accepts_changed_prompts = true;
        self
    }

    /// A run that was halted, by a model that could not be reached for instance, begins again with the
    /// task at which it halted. Its limits are what they were.
    #[must_use]
    pub fn retry_halted(mut self) -> Self {
        self.retries_halted = true;
        self
    }

    /// The types of the state and of the outputs may differ. The migration turns the state of the
    /// snapshot into the present one; it is called only where the types of the state do differ.
    #[must_use]
    pub fn migrate(
        mut self,
        migration: impl Fn(Value) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    ) -> Self {
        self.migration = Some(Box::new(migration));
        self
    }
}

impl ResumeOptions {
    /// Whether runs that were halted go on.
    pub(crate) const fn retries_halted(&self) -> bool {
        self.retries_halted
    }
}

impl fmt::Debug for ResumeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumeOptions")
            .field("accepts_changed_prompts", &self.accepts_changed_prompts)
            .field("retries_halted", &self.retries_halted)
            .field("migrates", &self.migration.is_some())
            .finish()
    }
}

impl<P: Process> Machine<P> {
    /// Goes on from a snapshot: the next poll gives the very directive that the machine of the
    /// snapshot would give, with the same call id.
    ///
    /// # Errors
    ///
    /// When the snapshot is of another format, process, graph or state type, when its prompts or
    /// schemas differ and the options do not allow it, and when its state does not read.
    pub fn resume(snapshot: Snapshot, options: ResumeOptions) -> Result<Self, SnapshotError> {
        Self::resumed(snapshot, &options)
    }

    /// Goes on from one of several snapshots.
    pub(crate) fn resumed(
        snapshot: Snapshot,
        options: &ResumeOptions,
    ) -> Result<Self, SnapshotError> {
        let restored = caught(|| restore::<P>(snapshot, options));
        let restored = restored.map_err(|panic| SnapshotError::Panicked(in_words(&*panic)));
        let (core, host) = restored.flatten()?;
        Ok(Self {
            options: core.options.clone(),
            hooks: Arc::default(),
            is_recording: false,
            records_segments: false,
            run: Some(Active::new(core, host)),
        })
    }
}

/// A run where a snapshot left it, with the processes within.
pub(super) fn restore<P: Process>(
    mut snapshot: Snapshot,
    options: &ResumeOptions,
) -> Result<(Core, Host<P>), SnapshotError> {
    if options.retries_halted
        && let Position::Finished(Ending::Halted(Halt { task, .. })) = &snapshot.position
    {
        let arrival = Delivery { task: task.clone(), inputs: snapshot.halted_inputs.take() };
        snapshot.position = Position::At { arrival, has_waited: true };
    }
    let migrates = check(&snapshot, P::DEFINITION, fingerprint_of::<P>(), options)?;
    let migration = options.migration.as_deref().filter(|_| migrates);
    let state = read_state(&snapshot.state, migration)?;
    let mut host = Host::new(state, false);
    let last_output = snapshot.last_output.take();
    let core = restore_core(snapshot, options, P::DEFINITION, &host)?;
    if let Some(LastOutput { task, output }) = last_output {
        let task = find(P::DEFINITION, &task)?;
        let value = serde_json::from_str(output.get()).map_err(SnapshotError::NotASnapshot)?;
        host.restore_last(task, value);
    }
    Ok((core, host))
}

/// Whether the state has to be migrated; or what differs and may not.
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
    // Nothing is asked any more.
    let is_over = matches!(snapshot.position, Position::Finished(_));
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
        return serde_path_to_error::deserialize(&mut json).map_err(unreadable);
    };
    let old = serde_json::from_str(state.get())
        .map_err(|source| SnapshotError::UnreadableState { path: "$".to_owned(), source })?;
    let new = migrate(old).map_err(SnapshotError::Migration)?;
    serde_path_to_error::deserialize(new).map_err(unreadable)
}

fn unreadable(error: serde_path_to_error::Error<serde_json::Error>) -> SnapshotError {
    let path = error.path().to_string();
    SnapshotError::UnreadableState { path, source: error.into_inner() }
}

fn restore_core(
    snapshot: Snapshot,
    options: &ResumeOptions,
    definition: &'static Definition,
    host: &dyn Typed,
) -> Result<Core, SnapshotError> {
    let current = find(definition, snapshot.task())?;
    let halted_inputs = snapshot.halted_inputs.clone();
    let halted = Delivery { task: snapshot.task().to_owned(), inputs: halted_inputs };
    let chain = snapshot.callers.iter().map(|caller| {
        let (task, inputs) = delivered(definition, caller.clone(), host)?;
        Ok(Caller { task, inputs })
    });
    let callers = Callers::restore(chain.collect::<Result<_, SnapshotError>>()?, current)
        .ok_or_else(|| inconsistent("a task waits twice in the chain of callers"))?;
    let arrival = Arrival::new(current, None);
    let mut core = Core::at(definition, snapshot.options, snapshot.goal, arrival);
    core.history = snapshot.history;
    core.callers = callers;
    core.usage = snapshot.usage;
    core.steps = snapshot.steps;
    core.elapsed = snapshot.elapsed;
    core.last_call = snapshot.last_call;
    core.is_alone = snapshot.is_alone;
    core.inherit(snapshot.inherited);
    if let Some(Halt { task, reason, attempts }) = snapshot.last_failure {
        core.last_failure = Some(Halt { task: find(definition, &task)?, reason, attempts });
    }
    for task in &snapshot.out_of_budget {
        core.out_of_budget.insert(find(definition, task)?);
    }
    for (task, count) in &snapshot.visits {
        core.visits[find(definition, task)?] = *count;
    }
    // No run comes near half of what a counter holds; one that claims to would run over.
    if core.steps.max(core.last_call) > u64::MAX / 2 {
        return Err(inconsistent("it counts more steps or calls than a run can make"));
    }
    core.phase = phase(snapshot.position, options, &core, host)?;
    core.delivered = match &core.phase {
        Phase::Finished { .. } if halted.inputs.is_some() => delivered(definition, halted, host)?.1,
        phase => phase.inputs().cloned(),
    };
    Ok(core)
}
