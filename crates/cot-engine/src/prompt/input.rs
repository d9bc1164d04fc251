//! What a prompt is to be written for.

use cot_schema::Issues;

use crate::process::{
    scope::ScopeData,
    tables::{Definition, TaskIndex},
};

/// What a prompt is to be written for.
#[derive(Debug)]
pub(crate) struct PromptInput<'a> {
    pub(crate) definition: &'static Definition,
    pub(crate) task: TaskIndex,
    /// The visible transitions, by their number.
    pub(crate) visible: &'a [usize],
    /// What was wrong with the last reply, on a retry.
    pub(crate) issues: Option<&'a Issues>,
    pub(crate) view: ScopeData<'a>,
    /// About how long the prompt will be.
    pub(crate) size: usize,
    /// Whether the request says which of its text is fixed.
    pub(crate) records_segments: bool,
}
