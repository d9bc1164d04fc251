//! The spans of a run, as its driver starts, feeds and ends them.

use std::time::Duration;

use cot_engine::{
    CallId, Ending, Event, EventOutcome,
    internal::{AnyMachine, IndexEvent},
};
use cot_model::TraceContext;
use cot_store::{RunId, Status};

use crate::{
    persistence::status::ended_status,
    runner::{config::Config, error::RunError},
    trace::{facts::RunFacts, fanout, run_trace::RunTrace, span_event::SpanEnd, span_ref::SpanRef},
};

/// The spans of a run in one driver; until they start, the context of the caller.
pub(crate) struct DriverTrace {
    is_started: bool,
    run: Option<Box<RunTrace>>,
}

/// How the driver came by the run whose spans start.
pub(crate) enum TraceStart<'a> {
    /// The run is not stored.
    Unstored {
        /// Whether its machine was restored from a snapshot.
        is_resumed: bool,
    },
    /// The run begins in a store.
    Stored,
    /// The run is continued from a store.
    Resumed {
        /// The context in which the run began.
        begun_in: Option<&'a TraceContext>,
    },
}

impl DriverTrace {
    /// Creates the trace of a run that is created in the current context.
    pub(super) fn new() -> Self {
        Self { is_started: false, run: RunTrace::waiting(TraceContext::current()) }
    }

    /// Sets the context of the caller, if it is known.
    pub(crate) fn set_caller(&mut self, caller: Option<&TraceContext>) {
        if let Some(caller) = caller {
            self.run = RunTrace::waiting(Some(caller.clone()));
        }
    }

    /// Returns whether the spans have started.
    pub(super) const fn is_started(&self) -> bool {
        self.is_started
    }

    /// Starts the span of the run.
    pub(crate) fn start(&mut self, config: &Config, run_id: &RunId, start: &TraceStart<'_>) {
        self.is_started = true;
        let caller = self.context();
        let (is_stored, is_resumed, begun_in) = match *start {
            TraceStart::Unstored { is_resumed } => (false, is_resumed, None),
            TraceStart::Stored => (true, false, None),
            TraceStart::Resumed { begun_in } => (true, true, begun_in),
        };
        let facts = RunFacts {
            run_id,
            process: config.definition().about.name,
            is_stored,
            is_resumed,
            caller: caller.as_ref(),
            begun_in,
        };
        let root = fanout::start_run(config.instruments(), &facts);
        // Without an instrument, the calls of a resumed run belong to the trace in which it began.
        let context = caller.or_else(|| begun_in.cloned());
        self.run = RunTrace::new(config.definition(), root, context).map(Box::new);
    }

    /// Returns the spans of the run, if anything follows it or it belongs to a trace.
    pub(super) fn run_mut(&mut self) -> Option<&mut RunTrace> {
        self.run.as_deref_mut()
    }

    /// Returns the span of the run, if an instrument follows it.
    pub(crate) fn root(&self) -> Option<SpanRef> {
        self.run.as_ref()?.root()
    }

    /// Returns the context of the span of the run.
    pub(crate) fn context(&self) -> Option<TraceContext> {
        self.run.as_ref()?.context().cloned()
    }

    /// Feeds an event of the machine.
    pub(super) fn event(&mut self, event: &IndexEvent) {
        if let Some(run) = &mut self.run {
            run.event(event);
        }
    }

    /// Feeds that the model holds a call back.
    pub(super) fn held(&self, id: CallId, wait: Duration) {
        if let Some(run) = &self.run {
            run.held(id, wait);
        }
    }

    /// Starts the spans of the calls whose futures were created. The events before them have been fed.
    pub(super) fn start_calls(&mut self) {
        if let Some(run) = &mut self.run {
            run.start_calls();
        }
    }

    /// Submits an event to the machine, in the span of the attempt whose call it answers.
    pub(super) fn handle(&mut self, machine: &mut dyn AnyMachine, event: Event) -> EventOutcome {
        let id = event.id();
        let Some(span) = id.and_then(|id| self.run.as_ref()?.around(id)) else {
            return machine.handle(event);
        };
        let (mut event, mut handled) = (Some(event), None);
        span.enter(&mut || handled = event.take().map(|event| machine.handle(event)));
        if let (Some(id), Some(run)) = (id, &mut self.run)
            && !machine.is_pending(id)
        {
            run.end_call(id);
        }
        handled.unwrap_or(EventOutcome::NotRunning)
    }

    /// Ends all spans of a run that is over, by an error of its persistence if there is one.
    pub(super) fn end(&mut self, machine: &dyn AnyMachine, error: Option<&RunError>) {
        let Some(mut run) = self.run.take() else { return };
        if let Some(error) = error {
            return run.end(&SpanEnd::RunError(error));
        }
        let reason = match machine.ending() {
            Some(Ending::Halted(halt)) => halt.reason.name(),
            _ => "",
        };
        let Some(Status::Ended { task, how, why }) = ended_status(machine) else {
            return run.end(&SpanEnd::Parked);
        };
        let (steps, usage) = (machine.steps(), machine.usage());
        run.end(&SpanEnd::Run { how, task: &task, why: &why, reason, steps, usage: &usage });
    }
}
