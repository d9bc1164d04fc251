//! Type-erased outputs.

use std::{any::Any, fmt, sync::Arc};

use serde::Serialize;
use serde_json::Value;

/// A type-erased output, such as one of a sub-process. Journals do not contain it.
#[derive(Clone, Default)]
pub struct AnyOutput(Option<Arc<dyn ErasedOutput>>);

trait ErasedOutput: Any + fmt::Debug + Send + Sync {
    fn to_json(&self) -> serde_json::Result<Value>;
}

impl<O: Any + fmt::Debug + Serialize + Send + Sync> ErasedOutput for O {
    fn to_json(&self) -> serde_json::Result<Value> {
        // Through text, since types are serialized to text anyway: a second serializer would be compiled for each.
        serde_json::from_str(&serde_json::to_string(self)?)
    }
}

impl AnyOutput {
    pub(crate) fn new(output: impl Any + fmt::Debug + Serialize + Send + Sync) -> Self {
        Self(Some(Arc::new(output)))
    }

    /// Returns the output, if it has type `O`.
    #[must_use]
    pub fn get<O: 'static>(&self) -> Option<&O> {
        let output: &dyn Any = &**self.0.as_ref()?;
        output.downcast_ref()
    }

    /// Returns the output as JSON; `None` for one from a journal, or one that can't be serialized.
    #[must_use]
    pub fn to_json(&self) -> Option<Value> {
        self.0.as_ref()?.to_json().ok()
    }
}

impl fmt::Debug for AnyOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(output) => output.fmt(f),
            None => f.write_str("_"),
        }
    }
}
