//! Events of a turn.

use cot_task_format::{Block, Diagnostic};
use serde_json::Value;

use crate::task_session::error::SessionError;

/// An event of a turn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SessionEvent {
    /// The model is asked to continue the trace.
    Asked {
        /// The number of the round in this turn, from 1.
        round: u32,
        /// The number of the attempt in this round, from 1.
        attempt: u32,
    },
    /// The next chunk of the reply. A model that can't stream emits none.
    Delta(String),
    /// The reply starts again. All chunks, structures and findings since the last `Asked` are void.
    Restarted,
    /// A structure of the reply is complete. It is accepted unless the reply restarts.
    Block(Block),
    /// A finding that does not reject the reply: a mistake that the parser recovered from, or a todo item
    /// that nothing satisfies.
    Finding(Diagnostic),
    /// The model continued after its calls or its response. The rest of the reply is ignored.
    Cut,
    /// The reply is rejected from an invalid structure on. The structures before it are accepted.
    Refused {
        /// The diagnostics, which the model receives.
        diagnostics: Vec<Diagnostic>,
        /// Whether the model is asked again.
        will_retry: bool,
    },
    /// A tool call starts.
    Calling {
        /// The id of the call.
        id: String,
        /// The name of the tool.
        tool: String,
        /// The arguments.
        arguments: Value,
    },
    /// A tool call ended.
    Called {
        /// The id of the call.
        id: String,
        /// The name of the tool.
        tool: String,
        /// The result or the error. The model receives both.
        result: Result<Value, String>,
    },
    /// The turn ended: with the response, or with the error that stopped it.
    Ended(Result<String, SessionError>),
}
