//! The tool calls of a task, as snapshot data.

use std::time::Duration;

use cot_model::{ToolCall, ToolResult, ToolRound, Usage};
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{protocol::directive::CallId, values::outcome::Attempt};

/// The calls of tools in the current visit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ToolsData {
    pub(crate) rounds: Vec<ToolRound>,
    /// The names of the tools that the visit offers.
    #[serde(default)]
    pub(crate) offered: Vec<String>,
    /// The number of calls, those of the pending round included.
    pub(crate) calls: u32,
    /// The usage of the replies since the last attempt that called tools.
    #[serde(default)]
    pub(crate) usage: Usage,
    #[serde(default)]
    pub(crate) elapsed: Duration,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pending: Option<RoundData>,
}

/// A round whose calls are not all answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RoundData {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) text: String,
    /// The number of the first call.
    pub(crate) first: u32,
    pub(crate) calls: Vec<CallData>,
}

/// A call of a tool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CallData {
    pub(crate) call: ToolCall,
    /// The arguments as they were read; `null` if the call was answered with an error.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) arguments: Value,
    #[serde(default, skip_serializing_if = "CallProgressData::is_waiting")]
    pub(crate) progress: CallProgressData,
}

/// The progress of a tool call.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallProgressData {
    /// The call has not started.
    #[default]
    Waiting,
    /// A person is asked whether to make it.
    Asking {
        call: CallId,
        attempt: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issues: Option<Issues>,
    },
    /// The tool runs, or the pause before a retry.
    Running {
        call: CallId,
        /// The failed attempts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attempts: Vec<Attempt>,
        #[serde(default, skip_serializing_if = "Duration::is_zero")]
        spent: Duration,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_pausing: bool,
        /// Whether the start of a call that is made once was announced.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_started: bool,
        /// The elapsed time of the run when the call started.
        began: Duration,
    },
    /// The call is answered.
    Answered(ToolResult),
}

impl CallProgressData {
    const fn is_waiting(&self) -> bool {
        matches!(self, Self::Waiting)
    }
}
