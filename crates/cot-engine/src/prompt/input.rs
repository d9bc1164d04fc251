//! The input of the assembly of a prompt.

use cot_model::{Tool, ToolRound};
use cot_schema::Issues;

use crate::{
    process::{
        scope::ScopeData,
        tables::{Definition, TaskIndex},
    },
    prompt::order::{SectionOrder, section_order},
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
    pub(crate) shape: PromptShape,
}

/// What is known of the prompt of a task before it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PromptShape {
    pub(crate) order: SectionOrder,
    /// The length of the last prompt of the task, as an estimate of the next one. 0 if there is none.
    pub(crate) last_size: usize,
}

impl PromptShape {
    /// Creates the shape of the first prompt of a task.
    pub(crate) fn new(definition: &Definition, task: TaskIndex) -> Self {
        Self { order: section_order(definition, task), last_size: 0 }
    }
}
