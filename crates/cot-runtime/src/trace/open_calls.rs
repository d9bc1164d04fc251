//! The calls of a run that have not ended.

use std::{collections::HashMap, sync::Arc};

use cot_engine::CallId;

use crate::trace::{
    call_cell::CallCell,
    span_event::{SpanEnd, SpanEvent},
    span_ref::SpanRef,
};

/// The calls of a run that the machine has not been told the end of.
#[derive(Default)]
pub(super) struct OpenCalls(HashMap<CallId, OpenCall>);

struct OpenCall {
    cell: Arc<CallCell>,
    /// The span of the attempt.
    around: SpanRef,
}

impl OpenCalls {
    pub(super) fn add(&mut self, id: CallId, cell: Arc<CallCell>, around: SpanRef) {
        self.0.insert(id, OpenCall { cell, around });
    }

    /// Ends the span of a call that is dropped, if it is still open.
    pub(super) fn drop_call(&mut self, id: CallId) {
        if let Some(open) = self.0.remove(&id) {
            open.cell.end(&SpanEnd::Dropped);
        }
    }

    /// Returns the span of the attempt that made a call.
    pub(super) fn around(&self, id: CallId) -> Option<SpanRef> {
        self.0.get(&id).map(|open| open.around.clone())
    }

    pub(super) fn event(&self, id: CallId, event: &SpanEvent<'_>) {
        if let Some(open) = self.0.get(&id) {
            open.cell.event(event);
        }
    }

    /// Ends all spans.
    pub(super) fn end_all(&mut self) {
        for (_, open) in self.0.drain() {
            open.cell.end(&SpanEnd::Dropped);
        }
    }
}
