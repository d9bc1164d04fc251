//! The errors of connecting to a server.

use std::{fmt, time::Duration};

use cot_schema::internal::closest_name;

/// Why a server can't be used.
///
/// The messages contain no value of a header or an environment variable, and no secret part of a URL.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// A setting is invalid, such as the URL or the name of a header.
    #[error("the settings of the MCP server `{server}` are invalid: {message}")]
    Settings {
        /// The name of the server.
        server: String,
        /// What is invalid.
        message: String,
    },
    /// The program of the server could not be started.
    #[error("the MCP server `{server}` could not be started: {message}")]
    Start {
        /// The name of the server.
        server: String,
        /// Why not.
        message: String,
    },
    /// The server could not be reached, or refused the connection.
    #[error("no connection to the MCP server `{server}`: {message}")]
    Connect {
        /// The name of the server.
        server: String,
        /// Why not.
        message: String,
    },
    /// The server did not answer in time.
    #[error("the MCP server `{server}` did not list its tools within {limit:?}")]
    Timeout {
        /// The name of the server.
        server: String,
        /// The time limit.
        limit: Duration,
    },
    /// The server did not list its tools as the protocol requires.
    #[error("the list of tools of the MCP server `{server}` can't be used: {message}")]
    List {
        /// The name of the server.
        server: String,
        /// What is wrong with it.
        message: String,
    },
    /// The server lacks tools that [`only`](crate::McpServer::only) names.
    #[error(
        "the MCP server `{server}` has no {}; it has {}",
        Joined(missing, usize::MAX),
        Joined(available, MAX_NAMES)
    )]
    Missing {
        /// The name of the server.
        server: String,
        /// The missing tools.
        missing: Vec<MissingTool>,
        /// The names of the tools that the server has.
        available: Vec<String>,
    },
    /// The schema of a tool can't be used.
    #[error(
        "the schema of the tool `{tool}` of the MCP server `{server}` can't be used: `{path}` {message}"
    )]
    Schema {
        /// The name of the server.
        server: String,
        /// The name of the tool.
        tool: String,
        /// The JSON path in the schema.
        path: String,
        /// What is wrong there.
        message: String,
    },
    /// The server has other tools than when it was connected first.
    #[error("the MCP server `{server}` has changed its tool `{tool}` since it was connected")]
    Changed {
        /// The name of the server.
        server: String,
        /// The name of the tool.
        tool: String,
    },
}

cot_schema::debug_as_sentence!(McpError);

/// A tool that a server lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingTool {
    /// The name.
    pub name: String,
    /// The tool of the server with the most similar name.
    pub suggestion: Option<String>,
}

impl MissingTool {
    pub(crate) fn new(name: &str, available: &[String]) -> Self {
        let suggestion = closest_name(name, available.iter().map(String::as_str));
        Self { name: name.to_owned(), suggestion: suggestion.map(str::to_owned) }
    }
}

impl fmt::Display for MissingTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.suggestion {
            Some(suggestion) => write!(f, "`{}` (did you mean `{suggestion}`?)", self.name),
            None => write!(f, "`{}`", self.name),
        }
    }
}

/// The number of names that a message lists.
const MAX_NAMES: usize = 20;

/// Names, joined by commas; of a long list only the first ones.
pub(crate) struct Joined<'a, T>(pub(crate) &'a [T], pub(crate) usize);

impl<T: fmt::Display> fmt::Display for Joined<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(names, max) = self;
        if names.is_empty() {
            return f.write_str("none");
        }
        for (number, name) in names.iter().take(*max).enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(f, "{comma}{name}")?;
        }
        match names.len().saturating_sub(*max) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
