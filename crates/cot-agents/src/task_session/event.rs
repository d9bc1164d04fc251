//! What happens in a turn.

use cot_task_format::{Block, Diagnostic};
use serde_json::Value;

use crate::task_session::error::SessionError;

/// What happens in a turn, in its order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SessionEvent {
    /// The model is asked to go on with the trace.
    Asked {
        /// How many times it goes on in this turn, from 1.
        round: u32,
        /// The attempt at this, from 1.
        attempt: u32,
    },
    /// The next piece of the reply came in; models that can't stream give none.
    Delta(String),
    /// The reply begins again: pieces, structures and findings since it was asked for are void.
    Restarted,
    /// A structure of the reply is complete and is taken, if the reply does not begin again.
    Block(Block),
    /// Something is wrong with the reply or with the turn, and it is taken all the same: a mistake that
    /// reading recovered from, a todo item that nothing satisfies.
    Finding(Diagnostic),
    /// What the model says after its calls, or after its response, is not read: it is not its turn to speak.
    Cut,
    /// The reply is not taken, from the structure on that is wrong. What came before it stays.
    Refused {
        /// What is wrong; the model is told so.
        diagnostics: Vec<Diagnostic>,
        /// Whether it is asked again.
        will_retry: bool,
    },
    /// A tool begins.
    Calling {
        /// The id of the call.
        id: String,
        /// The tool's name.
        tool: String,
        /// What it is called with.
        arguments: Value,
    },
    /// A tool has ended.
    Called {
        /// The id of the call.
        id: String,
        /// The tool's name.
        tool: String,
        /// What it gave, or why it failed. The model is told of both.
        result: Result<Value, String>,
    },
    /// The turn is over: with the response, or because it can't go on.
    Ended(Result<String, SessionError>),
}
