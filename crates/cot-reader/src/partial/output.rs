//! The incomplete output of a reply.

use std::{fmt, ptr, sync::Arc};

use cot_schema::{CotOutput, OutputSchema};
use serde_json::Value;

use super::de::de;

/// The output of a task while its reply is being received.
///
/// `RunEvent::Partial` of `cot-core` contains it if `Runner::partials` is enabled. It is read as leniently
/// as a complete reply, but not validated: even finished parts may still be rejected.
#[derive(Clone)]
pub struct PartialOutput(Arc<Inner>);

struct Inner {
    output: &'static OutputSchema,
    value: Value,
    /// The number of unfinished values on the path from the root to its last descendant.
    open: usize,
}

impl PartialOutput {
    /// Creates an incomplete output. The innermost `open` values at its end are unfinished.
    #[doc(hidden)]
    #[must_use]
    pub fn new(output: &'static OutputSchema, value: Value, open: usize) -> Self {
        Self(Arc::new(Inner { output, value, open }))
    }

    /// Returns the output received so far as JSON. Unfinished texts are included, unfinished numbers and
    /// words are not.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0.value
    }

    /// Returns the output received so far as the partial type of `T`. For a struct with
    /// `#[derive(CotOutput)]`, it has an [`Incoming`](crate::partial::incoming::Incoming) for each field.
    ///
    /// Returns `None` if `T` is not the output type of the task (for a for-each task, of a single item), or
    /// if too little was received.
    #[must_use]
    pub fn read<T: CotOutput>(&self) -> Option<T::Partial> {
        if !ptr::eq(T::output_schema(), self.0.output) {
            return None;
        }
        de::read(&self.0.value, self.0.open)
    }

    /// Returns whether the output is complete.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.0.open == 0
    }
}

/// Compares type, value and the number of unfinished values.
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
