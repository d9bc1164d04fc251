//! One piece of the work of a run.

use std::fmt;

use cot_schema::internal::truncate;
use cot_task_format::internal::data;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Work {
    /// A task that the model completed.
    Task {
        /// The task.
        current: String,
        /// The result.
        result: String,
    },
    /// A tool that was called for the model.
    Tool {
        /// The name of the tool.
        name: String,
        /// The arguments.
        arguments: Value,
        /// The result or the error.
        result: Result<String, String>,
    },
}

/// The limit up to which a result is shown to the model.
const MAX_SHOWN_BYTES: usize = 8_000;

impl Work {
    /// Returns the number of bytes that the work holds.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Task { current, result } => current.len() + result.len(),
            Self::Tool { name, arguments, result } => {
                let result = result.as_ref().unwrap_or_else(|error| error);
                name.len() + arguments.to_string().len() + result.len()
            }
        }
    }

    /// Returns the beginning of the work in one line.
    pub(super) fn line(&self, max: usize) -> String {
        let short = |text: &str| truncate(text, max).to_owned();
        let work = match self {
            Self::Task { current, result } => {
                Self::Task { current: short(current), result: short(result) }
            }
            Self::Tool { name, arguments, result } => Self::Tool {
                name: short(name),
                arguments: arguments.clone(),
                result: result.as_deref().map(short).map_err(|error| short(error)),
            },
        };
        work.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Task { current, result } if current.is_empty() && result.is_empty())
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| data::truncate(text, MAX_SHOWN_BYTES);
        match self {
            Self::Task { current, result } => write!(f, "{}: {}", shown(current), shown(result)),
            Self::Tool { name, arguments, result } => {
                write!(f, "tool `{}` with {} ", shown(name), shown(&arguments.to_string()))?;
                match result {
                    Ok(result) => write!(f, "gave: {}", shown(result)),
                    Err(error) => write!(f, "failed: {}", shown(error)),
                }
            }
        }
    }
}
