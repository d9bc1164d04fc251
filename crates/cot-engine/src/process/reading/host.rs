//! The typed side of tasks that read replies themselves.

use std::sync::Arc;

use cot_model::{ModelReply, ReplySchema};
use cot_schema::Issues;

use crate::{
    process::{scope::ScopeData, tables::TaskIndex},
    reply::end::ReplyEnd,
};

/// Calls the typed functions of `read`.
pub(crate) trait ReplyHost {
    /// Reads a reply into the output of a task and stores it as the pending output.
    fn read_reply(
        &mut self,
        task: TaskIndex,
        reply: &ModelReply,
        scope: &ScopeData<'_>,
    ) -> Result<(), Issues>;
    /// Runs the synchronous `check` of the task on the pending output.
    fn check_read(&mut self, task: TaskIndex, scope: &ScopeData<'_>) -> Result<(), Issues>;
    /// Returns what decides where a streamed reply ends, with copies of what it can reach.
    fn reply_end(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Option<ReplyEnd>;
    /// Returns the schema of the replies to a task.
    fn reply_schema(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Option<Arc<ReplySchema>>;
}
