//! What a run has besides its state: the context of the program, the id, and notes about the present output.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_reader::Passage;

use crate::process::types::ProcessTypes;

/// What a run has from its program: the context and its id. Cloning it is cheap.
pub(crate) struct Environment<P: ProcessTypes> {
    context: Arc<P::Context>,
    run_id: Option<Arc<str>>,
    // Boxed, since a run has several environments, and few have notes.
    notes: Box<Mutex<Notes>>,
}

/// What is known of the output that is read or committed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    /// The places of its values in the sources of `found_in`.
    pub(crate) passages: Vec<Passage>,
    /// The results of the tools that the model has called, each with the name of the tool in the declaration.
    pub(crate) results: Vec<(&'static str, String)>,
}

impl<P: ProcessTypes> Environment<P> {
    pub(crate) fn new(context: Arc<P::Context>) -> Self {
        Self { context, run_id: None, notes: Box::default() }
    }

    pub(crate) fn with_run_id(self, run_id: Option<Arc<str>>) -> Self {
        Self { run_id, ..self }
    }

    pub(crate) fn run_id(&self) -> &str {
        self.run_id.as_deref().unwrap_or_default()
    }

    /// Returns the environment of a sub-process with this context.
    pub(crate) fn within<Q: ProcessTypes>(&self, context: Arc<Q::Context>) -> Environment<Q> {
        Environment { context, run_id: self.run_id.clone(), notes: Box::default() }
    }

    /// Returns the notes about the present output.
    pub(crate) fn notes(&self) -> MutexGuard<'_, Notes> {
        // Notes are replaced as a whole, so that they are sound after a panic.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) const fn context(&self) -> &Arc<P::Context> {
        &self.context
    }
}

impl<P: ProcessTypes> Clone for Environment<P> {
    fn clone(&self) -> Self {
        let (context, run_id) = (Arc::clone(&self.context), self.run_id.clone());
        Self { context, run_id, notes: Box::new(Mutex::new(self.notes().clone())) }
    }
}

impl<P: ProcessTypes> fmt::Debug for Environment<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment").field("run_id", &self.run_id).finish_non_exhaustive()
    }
}
