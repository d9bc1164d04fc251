//! The input of the assembly of a prompt.

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
    pub(crate) view: ScopeData<'a>,
    /// The expected length of the prompt.
    pub(crate) size: usize,
}
