//! What follows the runs of a runner as spans, and the traces that they belong to.

use std::sync::Arc;

use cot_engine::Process;
use cot_model::TraceContext;

use crate::{runner::builder::Runner, trace::instrument::RunInstrument};

/// Traces.
impl<P: Process> Runner<P> {
    /// Adds an instrument, which follows every run as spans.
    #[must_use]
    pub fn instrument(self, instrument: impl RunInstrument + 'static) -> Self {
        self.configure(|config| config.instruments.push(Arc::new(instrument)))
    }

    /// Sets the trace that runs belong to: the context of their caller. Without it, it is the context that is
    /// [current](TraceContext::current) when a run is started. Runs that a [worker](crate::Worker) resumes do not get
    /// it.
    ///
    /// Clients of models and of MCP servers send it, or the one that an
    /// [instrument](Self::instrument) sets for each call. Cloning a runner is cheap, so that each run can have its own:
    /// `runner.clone().trace_context(context).run(state)`.
    #[must_use]
    pub fn trace_context(mut self, caller: TraceContext) -> Self {
        self.trace_context = Some(caller);
        self
    }
}
