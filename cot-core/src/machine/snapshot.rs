//! A run as data, to go on with elsewhere.

use std::{error::Error, fmt, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{
    CallId, Machine, MachineOptions, core::Core, fingerprint::Fingerprint, host::map_ending,
    phase::Phase,
};
use crate::{Attempt, History, Process, Usage, blueprint::TaskIndex, outcome::Ending};

/// Version of what a snapshot looks like.
pub(super) const FORMAT: u32 = 1;

/// A run as data: [`Machine::snapshot`] takes it, [`Machine::resume`] goes on with it, in another
/// program or another version of this one. It is made for JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Snapshot {
    pub(super) format: u32,
    pub(super) process: String,
    pub(super) position: Position,
    pub(super) callers: Vec<String>,
    pub(super) goal: String,
    pub(super) state: Box<RawValue>,
    pub(super) history: History,
    pub(super) usage: Usage,
    pub(super) steps: u64,
    pub(super) elapsed: Duration,
    /// The last call id that was given out.
    pub(super) last_call: u64,
    pub(super) options: MachineOptions,
    pub(super) fingerprint: Fingerprint,
}

/// Where a run stands, with tasks by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Position {
    /// A task is about to start.
    At { task: String },
    /// A task waits for a model.
    Calling { task: String, call: CallId, attempt: u32, attempts: Vec<Attempt>, spent: Duration },
    /// The run is over.
    Finished(Ending<String>),
}

/// Why there is no snapshot, or why a run can't go on from one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The machine has not been started.
    #[error("the machine has not been started: there is nothing to take a snapshot of")]
    Idle,
    /// The state can't be written as JSON.
    #[error("the state can't be written as JSON")]
    UnwritableState(#[source] serde_json::Error),
    /// The text ends too early.
    #[error("the snapshot is truncated: it ends at line {line}, column {column}")]
    Truncated {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// The text is not a snapshot.
    #[error("this is not a snapshot")]
    NotASnapshot(#[source] serde_json::Error),
    /// The snapshot is of another version of this library.
    #[error("the snapshot has format {found}; this library reads format {expected}")]
    Format {
        /// The snapshot's format.
        found: u32,
        /// The format that can be read.
        expected: u32,
    },
    /// The snapshot is of another process.
    #[error("the snapshot is of the process `{found}`, not of `{expected}`")]
    Process {
        /// The process of the snapshot.
        found: String,
        /// The process of the machine.
        expected: &'static str,
    },
    /// The tasks of the process have changed since.
    #[error("the graph has changed since the snapshot: {}", Changes { added, removed, changed })]
    Graph {
        /// Tasks that are new.
        added: Vec<String>,
        /// Tasks that are gone.
        removed: Vec<String>,
        /// Tasks that are another kind or lead elsewhere.
        changed: Vec<String>,
    },
    /// The type of the state has changed since, and no migration was given.
    #[error("the state's type has changed since the snapshot ({}): give a migration", listed(.types))]
    StateType {
        /// The types that are new, gone or different.
        types: Vec<String>,
    },
    /// The schemas of outputs have changed since, and no migration was given.
    #[error("the output schemas of {} have changed since the snapshot", listed(.tasks))]
    Schemas {
        /// The tasks whose outputs are meant.
        tasks: Vec<String>,
    },
    /// The prompts have changed since, and that was not accepted.
    #[error("the prompts of {} have changed since the snapshot: accept that, or go back", listed(.tasks))]
    Prompts {
        /// The tasks whose prompts are meant, and `(process)` for the common parts.
        tasks: Vec<String>,
    },
    /// The migration failed.
    #[error("the migration of the state failed")]
    Migration(#[source] Box<dyn Error + Send + Sync>),
    /// The state does not read.
    #[error("the state of the snapshot can't be read at `{path}`")]
    UnreadableState {
        /// Where in the state.
        path: String,
        /// What is wrong there.
        #[source]
        source: serde_json::Error,
    },
    /// The snapshot says something that can't be.
    #[error("the snapshot contradicts itself: {0}")]
    Inconsistent(String),
}

impl Snapshot {
    /// Reads a snapshot from its JSON text.
    ///
    /// # Errors
    ///
    /// When the text is cut off, is not a snapshot, or is one of another format.
    pub fn from_json(json: &str) -> Result<Self, SnapshotError> {
        let header: Header = serde_json::from_str(json).map_err(|error| unreadable(error, json))?;
        check_format(header.format)?;
        serde_json::from_str(json).map_err(|error| unreadable(error, json))
    }

    /// The snapshot as JSON text.
    ///
    /// # Errors
    ///
    /// None that is known: all of it is JSON already.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Name of the process that the snapshot is of.
    #[must_use]
    pub fn process(&self) -> &str {
        &self.process
    }

    /// Name of the task at which the run stands or has ended.
    #[must_use]
    pub fn task(&self) -> &str {
        match &self.position {
            Position::At { task } | Position::Calling { task, .. } => task,
            Position::Finished(ending) => match ending {
                Ending::End(task) | Ending::Fail(task, _) | Ending::RanOut(task) => task,
                Ending::Halted(halt) => &halt.task,
            },
        }
    }
}

impl<P: Process> Machine<P> {
    /// The run as data, at any point of it.
    ///
    /// # Errors
    ///
    /// When the machine has not been started, or the state can't be JSON (its maps need keys that
    /// are strings or numbers).
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let run = self.run.as_ref().ok_or(SnapshotError::Idle)?;
        let state = to_raw_value(&run.host.state).map_err(SnapshotError::UnwritableState)?;
        Ok(run.core.snapshot(state, Fingerprint::of::<P>()))
    }
}

impl Core {
    fn snapshot(&self, state: Box<RawValue>, fingerprint: &Fingerprint) -> Snapshot {
        let name = |task: TaskIndex| self.name(task).to_owned();
        Snapshot {
            format: FORMAT,
            process: self.definition.about.name.to_owned(),
            position: self.position(name),
            callers: self.callers().iter().map(|task| name(*task)).collect(),
            goal: self.goal.clone(),
            state,
            history: self.history.clone(),
            usage: self.usage,
            steps: self.steps,
            elapsed: self.elapsed,
            last_call: self.last_call,
            options: self.options.clone(),
            fingerprint: fingerprint.clone(),
        }
    }

    fn position(&self, name: impl Fn(TaskIndex) -> String) -> Position {
        match &self.phase {
            Phase::At { task } => Position::At { task: name(*task) },
            Phase::Calling(call) => Position::Calling {
                task: name(call.task),
                call: call.id,
                attempt: call.attempt(),
                attempts: call.attempts.clone(),
                spent: call.spent,
            },
            Phase::Finished { ending } => {
                let Ok(ending) = map_ending(ending.clone(), |task| {
                    Ok::<_, std::convert::Infallible>(name(task))
                });
                Position::Finished(ending)
            }
        }
    }
}

pub(super) fn check_format(found: u32) -> Result<(), SnapshotError> {
    if found == FORMAT { Ok(()) } else { Err(SnapshotError::Format { found, expected: FORMAT }) }
}

/// What every format of a snapshot has.
#[derive(Deserialize)]
struct Header {
    format: u32,
}

fn unreadable(error: serde_json::Error, json: &str) -> SnapshotError {
    let (line, column) = (error.line(), error.column());
    // A number that is cut off is an error of syntax where the text ends.
    let last_line = json.lines().last().map_or(0, str::len);
    let is_at_end = line >= json.lines().count() && column >= last_line;
    if error.is_eof() || (error.is_syntax() && is_at_end) {
        SnapshotError::Truncated { line, column }
    } else {
        SnapshotError::NotASnapshot(error)
    }
}

struct Changes<'a> {
    added: &'a [String],
    removed: &'a [String],
    changed: &'a [String],
}

impl fmt::Display for Changes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = [("new", self.added), ("gone", self.removed), ("changed", self.changed)];
        let mut separator = "";
        for (what, names) in groups.into_iter().filter(|(_, names)| !names.is_empty()) {
            write!(f, "{separator}{what} {}", listed(names))?;
            separator = "; ";
        }
        Ok(())
    }
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
