//! The plain tables of tools.

use std::time::Duration;

use crate::process::{effect::Effect, retry::RetryDefinition};

/// The maximum number of calls in a visit if neither the task nor the process sets one.
pub(crate) const DEFAULT_MAX_CALLS: u32 = 16;

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
    /// The tools of the source that models may call; `None` for a function.
    pub only: Option<&'static [&'static str]>,
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
