//! Panics in code of a process.

use std::{any::Any, fmt};

use cot_model::internal::panic_message;
use cot_schema::internal::truncate;
use serde::{Deserialize, Serialize};

/// A panic in code of a process: the code, the task, and the message.
///
/// It halts the run, see [`HaltReason::Panicked`](crate::values::outcome::HaltReason::Panicked). Earlier
/// commits stay; the commit in which the panic happened is dropped as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Panic {
    /// Name of the process whose code panicked: the sub-process, if the panic happened in one.
    pub process: String,
    /// Name of the task of that process.
    pub task: String,
    /// The code that panicked.
    pub place: PanicPlace,
    /// The message of the panic, truncated if it is long. Empty if the panic has none.
    pub message: String,
}

/// The code of a process in which a panic happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PanicPlace {
    /// Other code, or code that is not known.
    #[default]
    Other,
    /// A guard of a transition or of a `next` arm.
    Guard,
    /// A template or a template function.
    Template,
    /// The expression that computes inputs for a transition or a `next` arm, or reading the inputs.
    Inputs,
    /// A `mock`.
    Mock,
    /// The conversion of an output into its type, or its `check`.
    Check,
    /// An `update` or a `process_output`.
    Update,
    /// A hook before a commit, or an update that it added.
    Hook,
    /// The list of a for-each task.
    ForEach,
    /// The expression that computes the initial state of a sub-process.
    SubProcess,
    /// A `run` function.
    Function,
    /// Serializing a state or an output, or cloning a state.
    Data,
    /// The expression of `turns`.
    Turns,
    /// The expression of a source of tools, or the list of its tools.
    ToolSource,
    /// The expression of `calls`.
    Calls,
    /// The function of `read` that reads a reply, or its `schema`.
    Read,
    /// The `until` of `read`.
    Until,
}

/// Maximum length of a message.
const MAX_MESSAGE_BYTES: usize = 500;

/// Describes a panic in words, with its message.
pub fn describe_panic(payload: &(dyn Any + Send)) -> String {
    match panic_message(payload) {
        Some(text) => format!("it panicked: {}", truncate(text, MAX_MESSAGE_BYTES)),
        None => "it panicked".to_owned(),
    }
}

impl Panic {
    pub(crate) fn new(process: &str, task: &str, place: PanicPlace, message: &str) -> Self {
        Self {
            process: process.to_owned(),
            task: task.to_owned(),
            place,
            message: truncate(message, MAX_MESSAGE_BYTES).to_owned(),
        }
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} panicked", self.place)?;
        if !self.task.is_empty() {
            write!(f, " at task `{}` of {}", self.task, self.process)?;
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

impl fmt::Display for PanicPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Guard => "a guard",
            Self::Template => "a template",
            Self::Inputs => "the computation of inputs",
            Self::Mock => "the `mock`",
            Self::Check => "the check of an output",
            Self::Update => "the `update` or `process_output`",
            Self::Hook => "a hook",
            Self::ForEach => "the list of items",
            Self::SubProcess => "the start of the sub-process",
            Self::Function => "the function",
            Self::Data => "a conversion of the state or an output",
            Self::Turns => "the expression of `turns`",
            Self::ToolSource => "the source of tools",
            Self::Calls => "`calls`",
            Self::Read => "the reader of replies",
            Self::Until => "the `until` of `read`",
            Self::Other => "code of the process",
        })
    }
}
