//! The typed functions of a task that reads replies itself.

use std::sync::Arc;

use cot_model::{BoxFuture, ModelReply, ReplySchema};
use cot_schema::Issues;

use crate::{
    process::{
        context::{Cx, OwnedCx},
        types::ProcessTypes,
    },
    reply::end::ReplyChunks,
};

/// Watches a reply that is streamed. The future resolves when the reply ends.
pub(crate) type WatchReply<P> = fn(Arc<OwnedCx<P>>, ReplyChunks) -> BoxFuture<'static, ()>;

/// Returns the schema of a reply for engines.
pub(crate) type SchemaOfReply<P> = fn(&Cx<'_, P>) -> Option<Arc<ReplySchema>>;

/// Checks an output that was read.
pub(crate) type CheckReply<P> =
    fn(<P as ProcessTypes>::Output, &Cx<'_, P>) -> Result<<P as ProcessTypes>::Output, Issues>;

/// The typed functions of a task that reads replies itself.
pub struct ReplyCode<P: ProcessTypes> {
    pub read: fn(&ModelReply, &Cx<'_, P>) -> Result<P::Output, Issues>,
    /// Runs the synchronous `check`. Returns the output that it accepts.
    pub check: Option<CheckReply<P>>,
    pub until: Option<WatchReply<P>>,
    /// Returns the schema for engines.
    pub schema: Option<SchemaOfReply<P>>,
}
