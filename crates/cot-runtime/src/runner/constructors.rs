//! Creates and clones runners.

use std::{fmt, sync::Arc};

use cot_engine::{IntoContext, Process, internal::outline_of};
use cot_store::internal::know_process;

use crate::runner::{builder::Runner, config::Config, typed_config::TypedConfig};

impl<P: Process<Context = ()>> Runner<P> {
    /// Creates a runner without models, of a process without a context.
    #[must_use]
    pub fn new() -> Self {
        Self::with_context(())
    }
}

impl<P: Process> Runner<P> {
    /// Creates a runner without models. The functions of the process receive the context with their
    /// [`Cx`](cot_engine::Cx).
    #[must_use]
    pub fn with_context(context: impl IntoContext<P::Context>) -> Self {
        know_process(outline_of::<P>());
        let config = Arc::new(Config::new(outline_of::<P>()));
        let typed = Arc::new(TypedConfig::new(context.into_context()));
        Self { config, typed, run_id: None, trace_context: None }
    }
}

impl<P: Process<Context = ()>> Default for Runner<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Process> Clone for Runner<P> {
    fn clone(&self) -> Self {
        Self {
            config: Arc::clone(&self.config),
            typed: Arc::clone(&self.typed),
            run_id: self.run_id.clone(),
            trace_context: self.trace_context.clone(),
        }
    }
}

impl<P: Process> fmt::Debug for Runner<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Config { models, options, .. } = &*self.config;
        f.debug_struct("Runner")
            .field("process", &P::DEFINITION.about.name)
            .field("has_default_model", &models.default.is_some())
            .field("engines", &models.engines.keys())
            .field("options", options)
            .field("observers", &self.typed.observers.len())
            .finish_non_exhaustive()
    }
}
