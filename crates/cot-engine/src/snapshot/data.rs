//! A run as data, to go on with elsewhere.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc, time::Duration};

use cot_model::Usage;
use serde::{Deserialize, Serialize, ser::Error as _};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use crate::{
    process::{limits::Limits, options::MachineOptions},
    protocol::directive::CallId,
    snapshot::{error::SnapshotError, fingerprint::Fingerprint},
    values::{
        history::History,
        outcome::{Attempt, Ending, Halt},
    },
};

/// Version of what a snapshot looks like.
pub(crate) const FORMAT: u32 = 2;

/// What a snapshot of a run of a process of some ten tasks takes besides its state, history and goal.
const REST_BYTES: usize = 3072;

/// A run as data: [`Machine::snapshot`](crate::machine::machine::Machine::snapshot) takes it, [`Machine::resume`](crate::machine::machine::Machine::resume) goes on with it, in another
/// program or another version of this one. It is made for JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Snapshot {
    pub(crate) format: u32,
    pub(crate) process: String,
    pub(crate) position: PositionData,
    pub(crate) callers: Vec<Delivery>,
    pub(crate) goal: String,
    pub(crate) state: Box<RawValue>,
    pub(crate) history: Arc<History>,
    pub(crate) last_output: Option<LastOutput>,
    /// How many times the run has come to each task, by name; never is left out.
    pub(crate) visits: BTreeMap<String, u32>,
    #[serde(default)]
    pub(crate) is_alone: bool,
    #[serde(default)]
    pub(crate) last_failure: Option<Halt<String>>,
    /// The tasks that have gone elsewhere because the budget is used up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) out_of_budget: Vec<String>,
    /// What was delivered to the task at which the run halted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) halted_inputs: Option<Box<RawValue>>,
    pub(crate) usage: Usage,
    pub(crate) steps: u64,
    pub(crate) elapsed: Duration,
    /// The last call id that was given out.
    pub(crate) last_call: u64,
    pub(crate) options: MachineOptions,
    #[serde(default)]
    pub(crate) inherited: Limits,
    pub(crate) fingerprint: Cow<'static, Fingerprint>,
}

/// A task by name, and what was delivered to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Delivery {
    pub(crate) task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<Box<RawValue>>,
}

/// The output that was committed last.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LastOutput {
    pub(crate) task: String,
    pub(crate) output: Box<RawValue>,
}

/// Where a run stands, with tasks by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PositionData {
    /// A task is about to start.
    At { arrival: Delivery, has_waited: bool },
    /// A task waits for its time.
    Waiting { arrival: Delivery, call: CallId },
    /// A task waits for a model.
    Calling { visit: Delivery, asked: Asked },
    /// A for-each task waits for a model.
    Each {
        visit: Delivery,
        total: usize,
        next: usize,
        done: BTreeMap<usize, Value>,
        /// What the accepted attempts consumed.
        #[serde(default)]
        usage: Usage,
        asked: Vec<Asked>,
        /// The time of the run when the task began.
        began: Duration,
    },
    /// A task waits for a function, or before the next attempt at it.
    Running {
        visit: Delivery,
        asked: Asked,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_pausing: bool,
    },
    /// A task waits for a person.
    Asking { visit: Delivery, asked: Asked },
    /// A task runs another process.
    Within { visit: Delivery, asked: Asked, process: Box<Snapshot> },
    /// The run is over.
    Finished(Ending<String>),
}

/// What somebody is being asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) call: CallId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item: Option<usize>,
    #[serde(default)]
    pub(crate) engine: usize,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) spent: Duration,
    /// How long the calls took that were made before in the same lane of a for-each task.
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub(crate) lane: Duration,
    /// The output that an async `check` looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) checking: Option<Unchecked>,
}

/// An output that an async `check` looks at, and what the reply was and cost that it came in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Unchecked {
    pub(crate) value: Value,
    pub(crate) reply: String,
    pub(crate) usage: Usage,
    pub(crate) elapsed: Duration,
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
        let mut json = Vec::with_capacity(self.bytes());
        serde_json::to_writer(&mut json, self)?;
        String::from_utf8(json).map_err(serde_json::Error::custom)
    }

    /// About how many bytes it takes as JSON, where nothing but the state and the history is long.
    fn bytes(&self) -> usize {
        let entries: usize = self.history.iter().map(|entry| entry.json().len() + 1).sum();
        self.state.get().len() + entries + self.goal.len() + REST_BYTES
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
            PositionData::At { arrival, .. } | PositionData::Waiting { arrival, .. } => {
                &arrival.task
            }
            PositionData::Calling { visit, .. }
            | PositionData::Each { visit, .. }
            | PositionData::Running { visit, .. }
            | PositionData::Asking { visit, .. }
            | PositionData::Within { visit, .. } => &visit.task,
            PositionData::Finished(ending) => match ending {
                Ending::End(task) | Ending::Fail(task, _) | Ending::RanOut(task) => task,
                Ending::Halted(halt) => &halt.task,
            },
        }
    }
}

pub(crate) fn check_format(found: u32) -> Result<(), SnapshotError> {
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

/// What a snapshot holds, for programs that look at it or change it.
impl Snapshot {
    /// The state, as JSON.
    #[must_use]
    pub fn state(&self) -> &RawValue {
        &self.state
    }

    /// Gives the run another state. Whether it is one of the process shows when a machine goes on from there.
    ///
    /// # Errors
    ///
    /// None that is known: the state is JSON already.
    pub fn set_state(&mut self, state: &Value) -> serde_json::Result<()> {
        self.state = to_raw_value(state)?;
        Ok(())
    }

    /// Takes the state, and what code it is a state of, from another snapshot of the run.
    #[doc(hidden)]
    pub fn adopt_state(&mut self, present: Self) {
        self.state = present.state;
        self.fingerprint = present.fingerprint;
    }

    /// The goal of the run; empty where it has none.
    #[must_use]
    pub fn goal(&self) -> &str {
        &self.goal
    }

    /// Gives the run another goal.
    pub fn set_goal(&mut self, goal: impl Into<String>) {
        self.goal = goal.into();
    }
}
