//! The input of the assembly of a prompt.

use cot_model::{Tool, ToolRound};
use cot_schema::Issues;

use crate::process::{
    scope::ScopeData,
    tables::{Definition, TaskIndex},
};

/// The input of the assembly of a prompt.
#[derive(Debug)]
pub(crate) struct PromptInput<'a> {
    pub(crate) definition: &'static Definition,
    pub(crate) task: TaskIndex,
    /// The indexes of the visible transitions.
    pub(crate) visible: &'a [usize],
    /// The issues of the last reply, on a retry.
    pub(crate) issues: Option<&'a Issues>,
    /// The visible tools.
    pub(crate) tools: &'a [Tool],
    /// The replies of the visit that called tools.
    pub(crate) rounds: &'a [ToolRound],
    pub(crate) view: ScopeData<'a>,
    /// The expected length of the prompt.
    pub(crate) size: usize,
}
