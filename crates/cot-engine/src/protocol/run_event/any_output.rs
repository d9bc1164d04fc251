//! Outputs of processes whose types are not named.

use std::{any::Any, fmt, sync::Arc};

/// An output of a process whose types are not named, as of one that a task runs. Journals do not keep it.
#[derive(Clone, Default)]
pub struct AnyOutput(Option<Arc<dyn ErasedOutput>>);

trait ErasedOutput: Any + fmt::Debug + Send + Sync {}

impl<O: Any + fmt::Debug + Send + Sync> ErasedOutput for O {}

impl AnyOutput {
    pub(crate) fn new(output: impl Any + fmt::Debug + Send + Sync) -> Self {
        Self(Some(Arc::new(output)))
    }

    /// Returns the output, if it is of type `O`, the outputs of a process.
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
