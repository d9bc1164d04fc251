//! What can go wrong with a session.

use cot_model::ModelError;
use cot_task_format::{Diagnostic, Position};
use thiserror::Error;

/// Why a turn can't go on. What was taken stays in the trace, and [`go_on`](super::Session::go_on) tries
/// again from there.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The model failed.
    #[error("the model failed")]
    Model(#[from] ModelError),
    /// The model, or the service's filter, refused to answer; what it said, cut if it is long.
    #[error("the model refused: {0}")]
    Declined(String),
    /// The limit of tokens cut off a reply before its first structure was complete.
    #[error("the limit of tokens cut off the reply before anything in it was complete")]
    Truncated,
    /// The model was told what is wrong with its replies, and did no better.
    #[error("{attempts} replies in a row were refused; the last one: {}", first(.diagnostics))]
    Refused {
        /// How many replies it made.
        attempts: u32,
        /// What is wrong with the last one.
        diagnostics: Vec<Diagnostic>,
    },
    /// The model has gone on as many times as it may, without a response.
    #[error("the model has gone on {limit} times without a response")]
    RoundLimit {
        /// How many times it may.
        limit: u32,
    },
    /// The trace is longer than it may be.
    #[error("the trace has {bytes} bytes, and may have {limit}")]
    TraceLimit {
        /// How long it may be, in bytes of text.
        limit: usize,
        /// How long it is.
        bytes: usize,
    },
    /// The turn before has no response yet: [`go_on`](super::Session::go_on) with it, or
    /// [`abandon`](super::Session::abandon) it.
    #[error("the last turn has no response yet: go on with it, or abandon it")]
    Unfinished,
}

/// Why there is no session.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SessionBuildError {
    /// A tool's name is empty or has spaces.
    #[error("`{0}` is no name of a tool: write one without spaces")]
    ToolName(String),
    /// A tool takes an argument that calls have for themselves.
    #[error(
        "the tool `{tool}` has a parameter `{parameter}`, which every call has for itself: rename it"
    )]
    ToolParameter {
        /// The tool.
        tool: String,
        /// The parameter: `tool` or `id`.
        parameter: &'static str,
    },
    /// A definition of a tool in JSON is none.
    #[error("the definition of the tool `{tool}` is wrong: {problem}")]
    ToolDefinition {
        /// Its name, as far as it has one.
        tool: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A structure of a trace can't stand where it stands.
    #[error("structure {index} of the trace, at {position}: {message}")]
    Trace {
        /// The number of the structure, from 0.
        index: usize,
        /// Where it begins.
        position: Position,
        /// What is wrong with it.
        message: String,
    },
}

/// How a tool of a session differs from that of the trace that the session was
/// [resumed](super::SessionBuilder::resume) from. The trace of the session has the tools of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChange {
    /// The trace has no such tool.
    Added {
        /// Its name.
        tool: String,
    },
    /// It is described in other words.
    Described {
        /// Its name.
        tool: String,
    },
    /// It takes other arguments. The calls in the trace fit them too.
    Parameters {
        /// Its name.
        tool: String,
    },
}

fn first(diagnostics: &[Diagnostic]) -> &str {
    diagnostics.first().map_or("", |diagnostic| &diagnostic.message)
}
