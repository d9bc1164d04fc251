//! Descriptions of processes, as stores keep them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The description of a process, so that programs without its types can show it: see
/// [`Store::put_process`](crate::Store::put_process).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProcessDescription {
    /// The name of the process.
    pub name: String,
    /// A hash that differs when the manifest or the texts of the prompts differ.
    pub version: String,
    /// The manifest of the process: its tasks, their settings and the edges between them.
    pub manifest: Value,
}

impl ProcessDescription {
    /// Creates the description of a process.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>, manifest: Value) -> Self {
        Self { name: name.into(), version: version.into(), manifest }
    }
}
