//! Type-erased outputs.

use std::{any::Any, fmt, sync::Arc};

/// A type-erased output, such as one of a sub-process. Journals do not contain it.
#[derive(Clone, Default)]
pub struct AnyOutput(Option<Arc<dyn ErasedOutput>>);

trait ErasedOutput: Any + fmt::Debug + Send + Sync {}

impl<O: Any + fmt::Debug + Send + Sync> ErasedOutput for O {}

impl AnyOutput {
    pub(crate) fn new(output: impl Any + fmt::Debug + Send + Sync) -> Self {
        Self(Some(Arc::new(output)))
    }

    /// Returns the output, if it has type `O`.
    #[must_use]
    pub fn get<O: 'static>(&self) -> Option<&O> {
        let output: &dyn Any = &**self.0.as_ref()?;
        output.downcast_ref()
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
