//! The plain tables of tools.

use std::time::Duration;

use super::source::SourceTool;
use crate::process::{effect::Effect, retry::RetryDefinition};

/// The index of a tool in `tools` of the process.
pub(crate) type ToolIndex = usize;

/// The plain data of the tools of a process.
#[derive(Debug, Clone, Copy)]
pub struct ToolsDefinition {
    pub tools: &'static [ToolDefinition],
    /// The maximum number of calls in a visit of a task that sets none.
    pub max_calls: Option<u32>,
    pub history: ToolHistory,
}

/// What the history has of tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolHistory {
    /// Nothing.
    None,
    /// The names of the called tools.
    Names,
    /// The calls with their arguments and results.
    All,
}

/// The plain data of a tool, or of a source of tools.
#[derive(Debug)]
pub struct ToolDefinition {
    /// The name of the tool or the source.
    pub name: &'static str,
    /// What the tool does; empty for a source.
    pub description: &'static str,
    pub effect: Effect,
    /// The maximum number of retries of a failed call.
    pub max_retries: u32,
    pub retry: RetryDefinition,
    pub timeout: Option<Duration>,
    /// Whether a person has to approve each call.
    pub needs_approval: bool,
    pub has_mock: bool,
    /// The tools of the source that can be called.
    pub selection: ToolSelection,
}

/// The tools of a source that can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolSelection {
    /// The tool is a function.
    Function,
    /// The tools with these names.
    Named(&'static [&'static str]),
    /// All that the source has when a task starts.
    All,
}

impl ToolSelection {
    /// Returns the names that the declaration lists.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Named(names) => names,
            Self::Function | Self::All => &[],
        }
    }

    /// Returns the tools of a source that can be called.
    pub(crate) fn select(self, source: &[SourceTool]) -> Vec<&SourceTool> {
        match self {
            Self::Function => Vec::new(),
            Self::All => source.iter().collect(),
            Self::Named(names) => {
                let find = |name: &&str| source.iter().find(|tool| tool.name() == *name);
                names.iter().filter_map(find).collect()
            }
        }
    }
}

/// The tools of a task.
#[derive(Debug, Clone, Copy)]
pub struct ToolUses {
    pub tools: &'static [ToolIndex],
    /// The maximum number of calls in a visit.
    pub max_calls: Option<u32>,
}

impl ToolsDefinition {
    /// No tools.
    pub const NONE: Self = Self { tools: &[], max_calls: None, history: ToolHistory::None };
}

impl ToolUses {
    /// No tools.
    pub const NONE: Self = Self { tools: &[], max_calls: None };
}
