//! What a reply says so far.

use std::{fmt, ptr, sync::Arc};

use cot_schema::{CotOutput, OutputSchema};
use serde_json::Value;

use super::de::de;

/// The output of a task, as far as the reply has come in.
///
/// Told by `RunEvent::Partial` of `cot-core` where `Runner::partials` is switched on. It is read as leniently as the whole reply,
/// and nothing of it has been validated: what is finished may still be refused.
#[derive(Clone)]
pub struct PartialOutput(Arc<Inner>);

struct Inner {
    output: &'static OutputSchema,
    value: Value,
    /// How many values along the way from the root to the last one are not finished.
    open: usize,
}

impl PartialOutput {
    /// What has come of an output, of which the last `open` values, each within the one before, are not
    /// finished.
    #[doc(hidden)]
    #[must_use]
    pub fn new(output: &'static OutputSchema, value: Value, open: usize) -> Self {
        Self(Arc::new(Inner { output, value, open }))
    }

    /// The output so far as JSON. Numbers and words that are not finished are left out, texts are there as
    /// far as they have come.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0.value
    }

    /// The output so far as the partial view of its type: of a struct with `#[derive(CotOutput)]`, one with
    /// an [`Incoming`](crate::partial::incoming::Incoming) for each field.
    ///
    /// `None` where `T` is not the type that the task's reply holds (of a for-each task, that is the type of
    /// one item's output), and where nothing of it can be told yet.
    #[must_use]
    pub fn of<T: CotOutput>(&self) -> Option<T::Partial> {
        if !ptr::eq(T::output_schema(), self.0.output) {
            return None;
        }
        de::read(&self.0.value, self.0.open)
    }

    /// Whether all of the output has come.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.0.open == 0
    }
}

/// Whether the same has come of them.
impl PartialEq for PartialOutput {
    fn eq(&self, other: &Self) -> bool {
        self.0.open == other.0.open
            && ptr::eq(self.0.output, other.0.output)
            && self.0.value == other.0.value
    }
}

impl fmt::Debug for PartialOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartialOutput")
            .field("type", &self.0.output.name())
            .field("value", &self.0.value)
            .field("is_finished", &self.is_finished())
            .finish()
    }
}
