//! Going on from a snapshot.

use std::{error::Error, fmt};

use serde::de::DeserializeOwned;
use serde_json::{Value, value::RawValue};

use super::{
    Active, Machine, Snapshot, SnapshotError,
    core::Core,
    fingerprint::{Difference, Fingerprint},
    host::{Host, Typed, map_ending},
    phase::{Calling, Phase},
    routing::Callers,
    snapshot::{Position, check_format},
};
use crate::{
    Halt, Process,
    blueprint::{Definition, TaskIndex},
    outcome::Ending,
};

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
    migration: Option<Migration>,
}

type Migration = Box<dyn FnOnce(Value) -> Result<Value, Box<dyn Error + Send + Sync>> + Send>;

impl ResumeOptions {
    /// Nothing may differ.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The prompts may differ: the run goes on with the present ones.
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
        migration: impl FnOnce(Value) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + 'static,
    ) -> Self {
        self.migration = Some(Box::new(migration));
        self
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
    pub fn resume(mut snapshot: Snapshot, options: ResumeOptions) -> Result<Self, SnapshotError> {
        if options.retries_halted
            && let Position::Finished(Ending::Halted(Halt { task, .. })) = snapshot.position
        {
            snapshot.position = Position::At { task };
        }
        let migrates = check(&snapshot, P::DEFINITION, Fingerprint::of::<P>(), &options)?;
        let migration = options.migration.filter(|_| migrates);
        let state = read_state(&snapshot.state, migration)?;
        let host = Host::new(state, false);
        let core = restore(snapshot, P::DEFINITION, &host)?;
        Ok(Self {
            options: core.options.clone(),
            is_recording: false,
            run: Some(Active { core, host }),
        })
    }
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
    match (state, schemas, prompts) {
        (Some(types), _, _) if !has_migration => {
            Err(SnapshotError::StateType { types: types.names() })
        }
        (_, Some(tasks), _) if !has_migration => {
            Err(SnapshotError::Schemas { tasks: tasks.names() })
        }
        (_, _, Some(tasks)) if !options.accepts_changed_prompts => {
            Err(SnapshotError::Prompts { tasks: tasks.names() })
        }
        _ => Ok(differs),
    }
}

fn read_state<S: DeserializeOwned>(
    state: &RawValue,
    migration: Option<Migration>,
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

fn restore(
    snapshot: Snapshot,
    definition: &'static Definition,
    host: &dyn Typed,
) -> Result<Core, SnapshotError> {
    let chain = snapshot.callers.iter().map(|name| find(definition, name));
    let chain = chain.collect::<Result<Vec<_>, _>>()?;
    let current = find(definition, snapshot.task())?;
    let callers = Callers::restore(chain, current)
        .ok_or_else(|| inconsistent("a task waits twice in the chain of callers"))?;
    let mut core = Core {
        definition,
        options: snapshot.options,
        phase: Phase::At { task: current },
        goal: snapshot.goal,
        history: snapshot.history,
        callers,
        usage: snapshot.usage,
        steps: snapshot.steps,
        elapsed: snapshot.elapsed,
        last_call: snapshot.last_call,
        prompt_size: 0,
    };
    // No run comes near half of what a counter holds; one that claims to would run over.
    if core.steps.max(core.last_call) > u64::MAX / 2 {
        return Err(inconsistent("it counts more steps or calls than a run can make"));
    }
    core.phase = phase(snapshot.position, &core, host)?;
    Ok(core)
}

fn phase(position: Position, core: &Core, host: &dyn Typed) -> Result<Phase, SnapshotError> {
    let task_named = |name: String| find(core.definition, &name);
    Ok(match position {
        Position::At { task } => Phase::At { task: task_named(task)? },
        Position::Calling { task, call, attempt, attempts, spent } => {
            let task = task_named(task)?;
            let ai = core
                .ai(task)
                .ok_or_else(|| inconsistent("a task waits for a model that never asks one"))?;
            let visit = core.visit(task, call, ai, host);
            let calling = Calling { attempts, spent, ..visit };
            if calling.attempt() != attempt || call.0 > core.last_call {
                return Err(inconsistent("the numbers of calls or attempts do not add up"));
            }
            Phase::Calling(calling)
        }
        Position::Finished(ending) => Phase::Finished { ending: map_ending(ending, task_named)? },
    })
}

fn find(definition: &Definition, name: &str) -> Result<TaskIndex, SnapshotError> {
    let found = definition.tasks.iter().position(|task| task.about.name == name);
    found.ok_or_else(|| inconsistent(&format!("there is no task `{name}`")))
}

fn inconsistent(what: &str) -> SnapshotError {
    SnapshotError::Inconsistent(what.to_owned())
}
