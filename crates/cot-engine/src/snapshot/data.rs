//! The data of a snapshot.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc, time::Duration};

use cot_model::{BlobSet, Usage};
use serde::{Deserialize, Serialize, ser::Error as _};
use serde_json::{Value, value::RawValue};

use crate::{
    process::{
        kinds::info::KindTag,
        limits::{Limits, Unattended},
        options::MachineOptions,
    },
    protocol::directive::CallId,
    snapshot::{
        error::SnapshotError, fingerprint::Fingerprint, once_calls::OnceCalls, tools::ToolsData,
    },
    values::{
        history::History,
        outcome::{Attempt, Ending, Halt},
    },
};

/// Version of the snapshot format.
pub(crate) const FORMAT: u32 = 2;

/// Typical size of a snapshot without its state, history and goal.
const REST_BYTES: usize = 3072;

/// A run as data. [`Machine::snapshot`](crate::machine::machine::Machine::snapshot) creates it, and
/// [`Machine::resume`](crate::machine::machine::Machine::resume) continues the run, in another program or
/// another version of the program. It is designed for JSON.
///
/// The JSON contains each image and document once, in base64; the state refers to it by its digest.
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
    /// The number of visits of each task, by name; unvisited tasks are omitted.
    pub(crate) visits: BTreeMap<String, u32>,
    #[serde(default)]
    pub(crate) is_alone: bool,
    #[serde(default)]
    pub(crate) last_failure: Option<Halt<String>>,
    /// The tasks that took their route for an exhausted budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) out_of_budget: Vec<String>,
    /// The inputs of the task at which the run halted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) halted_inputs: Option<Box<RawValue>>,
    pub(crate) usage: Usage,
    pub(crate) steps: u64,
    pub(crate) elapsed: Duration,
    /// The last call id that was assigned.
    pub(crate) last_call: u64,
    #[serde(default, skip_serializing_if = "OnceCalls::is_default")]
    pub(crate) once: OnceCalls,
    pub(crate) options: MachineOptions,
    #[serde(default)]
    pub(crate) inherited: Limits,
    /// The limits of steps without an answer of a person, as they were when the run started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unattended: Option<Unattended>,
    pub(crate) fingerprint: Cow<'static, Fingerprint>,
    /// The contents of the images and documents, to which the other fields refer by their digests.
    #[serde(default, skip_serializing_if = "BlobSet::is_empty")]
    pub(crate) blobs: BlobSet,
    /// Whether events that answer calls of the current task were stored after the snapshot.
    #[serde(skip)]
    pub(crate) is_answered: bool,
    /// The number of calls with `effect: once` that took effect or may have, according to these events.
    #[serde(skip)]
    pub(crate) acted_since: u64,
    /// Whether a migration moved the run or its sub-process.
    #[serde(skip)]
    pub(crate) is_moved: bool,
}

/// A task by name, with its inputs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Delivery {
    pub(crate) task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<Box<RawValue>>,
    /// The name of the task when the visit began, if it was renamed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
}

impl Delivery {
    pub(crate) const fn new(task: String, inputs: Option<Box<RawValue>>) -> Self {
        Self { task, inputs, key: None }
    }
}

/// The last committed output.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LastOutput {
    pub(crate) task: String,
    pub(crate) output: Box<RawValue>,
}

/// The position of a run, with tasks by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PositionData {
    /// A task is about to start.
    At {
        arrival: Delivery,
        has_waited: bool,
        /// Whether the task fails as interrupted in place of being started.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_interrupted: bool,
    },
    /// The timer before a task is running.
    Waiting { arrival: Delivery, call: CallId },
    /// An AI task waits for a model.
    Calling {
        visit: Delivery,
        #[serde(rename = "asked")]
        pending: PendingCall,
        /// The tools that the model has called in the visit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tools: Option<Box<ToolsData>>,
    },
    /// A task of tool calls waits for them, or for its mock.
    CallingTools {
        visit: Delivery,
        #[serde(rename = "asked")]
        pending: PendingCall,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tools: Option<Box<ToolsData>>,
    },
    /// A for-each task waits for the calls of its items.
    Each {
        visit: Delivery,
        #[serde(default, skip_serializing_if = "SlotKind::is_model")]
        slots: SlotKind,
        total: usize,
        next: usize,
        /// The outputs of the items that are done, in the form in which the task collects them.
        done: BTreeMap<usize, Value>,
        /// The usage of the accepted attempts.
        #[serde(default)]
        usage: Usage,
        #[serde(rename = "asked")]
        pending: Vec<PendingCall>,
        /// The elapsed time of the run at the start of the task.
        began: Duration,
    },
    /// A code task waits for its function, or for the pause before a retry.
    Running {
        visit: Delivery,
        #[serde(rename = "asked")]
        pending: PendingCall,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_pausing: bool,
        /// Whether the start of a call that is made once was announced.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_started: bool,
    },
    /// A human task waits for a person.
    Asking {
        visit: Delivery,
        #[serde(rename = "asked")]
        pending: PendingCall,
    },
    /// A task runs a sub-process.
    Within {
        visit: Delivery,
        #[serde(rename = "asked")]
        pending: PendingCall,
        process: Box<Snapshot>,
    },
    /// A task runs branches.
    Branches {
        visit: Delivery,
        /// The elapsed time of the run at the start of the task.
        began: Duration,
        branches: Vec<BranchData>,
    },
    /// The run is over.
    Finished(Ending<String>),
}

/// A position with respect to its task.
pub(crate) enum Place<'a> {
    Before(&'a Delivery),
    Within(BegunTask<'a>),
    After(&'a Ending<String>),
}

/// A task that has begun.
pub(crate) struct BegunTask<'a> {
    pub(crate) visit: &'a Delivery,
    /// The kind, as in manifests.
    pub(crate) kind: &'static str,
    /// Whether the task depends on what it asks: its schema and its texts.
    pub(crate) has_asked: bool,
}

impl PositionData {
    /// Returns the name of the task at the position.
    pub(crate) fn task(&self) -> &str {
        match self.place() {
            Place::Before(arrival) => &arrival.task,
            Place::Within(begun) => &begun.visit.task,
            Place::After(ending) => match ending {
                Ending::End(task) | Ending::Fail(task, _) | Ending::RanOut(task) => task,
                Ending::Halted(halt) => &halt.task,
            },
        }
    }

    /// Returns where the run is with respect to its task.
    pub(crate) fn place(&self) -> Place<'_> {
        let (visit, kind, has_asked) = match self {
            Self::At { arrival, .. } | Self::Waiting { arrival, .. } => {
                return Place::Before(arrival);
            }
            Self::Finished(ending) => return Place::After(ending),
            Self::Calling { visit, .. } => (visit, KindTag::Ai, true),
            // The calls are made by the schemas, effects and approvals of their tools.
            Self::CallingTools { visit, .. } => (visit, KindTag::Calls, true),
            Self::Each { visit, slots, .. } => (visit, slots.kind(), *slots == SlotKind::Model),
            Self::Running { visit, .. } => (visit, KindTag::Code, false),
            Self::Asking { visit, .. } => (visit, KindTag::Human, true),
            Self::Within { visit, .. } => (visit, KindTag::Process, false),
            Self::Branches { visit, .. } => (visit, KindTag::Parallel, false),
        };
        Place::Within(BegunTask { visit, kind: kind.info().manifest_name, has_asked })
    }
}

/// A branch of a parallel task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct BranchData {
    /// The first task of the branch.
    pub(crate) branch: String,
    /// The position; in a branch that has joined, before the task at the join.
    pub(crate) position: PositionData,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) has_joined: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) callers: Vec<Delivery>,
    /// The elapsed time of the run as the branch sees it.
    pub(crate) elapsed: Duration,
    /// The number of entries at the start of the run's history that the branch sees first.
    #[serde(default)]
    pub(crate) shared: usize,
    /// The entries that it sees after them.
    #[serde(default)]
    pub(crate) history: Arc<History>,
}

/// A pending call, with its failed attempts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PendingCall {
    pub(crate) call: CallId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item: Option<usize>,
    #[serde(default)]
    pub(crate) engine: usize,
    /// The indexes of the engines whose failure no wait mends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) lost: Vec<usize>,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) spent: Duration,
    /// The time of the earlier calls in the same lane of a for-each task.
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub(crate) lane: Duration,
    /// The number of pauses after model calls without a reply.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) pauses: u32,
    /// Whether the call is such a pause, or the pause before a function is retried.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_pausing: bool,
    /// Whether the start of a call that is made once was announced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_started: bool,
    /// The output that an async `check` is checking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) checking: Option<UncheckedOutput>,
    /// The sub-process of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<Box<Snapshot>>,
}

/// What a for-each task does with its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SlotKind {
    #[default]
    Model,
    Function,
    Process,
}

impl SlotKind {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    fn is_model(&self) -> bool {
        *self == Self::Model
    }

    const fn kind(self) -> KindTag {
        match self {
            Self::Model => KindTag::ForEach,
            Self::Function => KindTag::ForEachFunction,
            Self::Process => KindTag::ForEachProcess,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// An output that an async `check` is checking, with the reply that contained it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct UncheckedOutput {
    pub(crate) value: Value,
    pub(crate) reply: String,
    pub(crate) usage: Usage,
    pub(crate) elapsed: Duration,
}

impl Snapshot {
    /// Parses a snapshot from JSON text.
    ///
    /// # Errors
    ///
    /// If the text is truncated, is not a snapshot, or has another format.
    pub fn from_json(json: &str) -> Result<Self, SnapshotError> {
        let header: Header =
            serde_json::from_str(json).map_err(|error| parse_error(error, json))?;
        check_format(header.format)?;
        serde_json::from_str(json).map_err(|error| parse_error(error, json))
    }

    /// Returns the snapshot as JSON text.
    ///
    /// # Errors
    ///
    /// None in practice: all parts are JSON already.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut json = Vec::with_capacity(self.bytes());
        serde_json::to_writer(&mut json, self)?;
        String::from_utf8(json).map_err(serde_json::Error::custom)
    }

    /// Estimates the size of the JSON text, assuming that only the state and the history are large.
    fn bytes(&self) -> usize {
        let entries: usize = self.history.iter().map(|entry| entry.json().len() + 1).sum();
        self.state.get().len() + entries + self.goal.len() + REST_BYTES
    }

    /// Returns the name of the process.
    #[must_use]
    pub fn process(&self) -> &str {
        &self.process
    }

    /// Returns the name of the task at which the run is or has ended.
    #[must_use]
    pub fn task(&self) -> &str {
        self.position.task()
    }
}

pub(crate) fn check_format(found: u32) -> Result<(), SnapshotError> {
    if found == FORMAT { Ok(()) } else { Err(SnapshotError::Format { found, expected: FORMAT }) }
}

/// The part that all snapshot formats share.
#[derive(Deserialize)]
struct Header {
    format: u32,
}

fn parse_error(error: serde_json::Error, json: &str) -> SnapshotError {
    let (line, column) = (error.line(), error.column());
    // A truncated number is a syntax error at the end of the text.
    let last_line = json.lines().last().map_or(0, str::len);
    let is_at_end = line >= json.lines().count() && column >= last_line;
    if error.is_eof() || (error.is_syntax() && is_at_end) {
        SnapshotError::Truncated { line, column }
    } else {
        SnapshotError::NotASnapshot(error)
    }
}
