//! Sub-processes of any type, as machines.

use std::{any::Any, fmt, sync::Arc};

use cot_model::ModelRequest;

use crate::{
    machine::{host::TypedHost, resume},
    process::{
        child::{ChildRun, ChildStart, DueDirectives, SharedLimits, Totals},
        environment::Environment,
        host::ProcessHost,
        options::{MachineOptions, StartError},
        process::Process,
        tables::{Definition, TaskIndex},
    },
    protocol::{
        event::{Event, EventOutcome},
        key::call_key::VisitKey,
        open_calls::{NoCalls, OpenCalls},
        run_event::event::RunEvent,
    },
    run::{inspect, run::Run},
    snapshot::{data::Snapshot, error::SnapshotError, options::ResumeOptions},
    values::{outcome::Ending, panicked::Panic},
};
use cot_template::PartialPrompt;

/// A sub-process: an untyped run with its typed host.
pub(crate) struct ChildMachine {
    definition: &'static Definition,
    host: Box<dyn ProcessHost + Send + Sync>,
    /// The run; `None` before the start.
    run: Option<Run>,
}

/// Creates a sub-process in its initial state.
pub(crate) fn create<P: Process>(
    state: P::State,
    environment: Environment<P>,
) -> Box<dyn ChildRun> {
    let host = TypedHost::<P>::new(state, environment, false);
    let (definition, run) = (P::DEFINITION, None);
    Box::new(ChildMachine { definition, host: Box::new(host), run })
}

/// Restores a sub-process from a snapshot.
///
/// # Errors
///
/// The errors of [`Machine::resume`](crate::machine::machine::Machine::resume).
pub(crate) fn restore<P: Process>(
    snapshot: Snapshot,
    options: &ResumeOptions,
    environment: Environment<P>,
    outer: Arc<[VisitKey]>,
) -> Result<Box<dyn ChildRun>, SnapshotError> {
    let (run, host) = resume::restore::<P>(snapshot, options, environment, Some(outer))?;
    let (definition, run) = (P::DEFINITION, Some(run));
    Ok(Box::new(ChildMachine { definition, host: Box::new(host), run }))
}

impl ChildRun for ChildMachine {
    fn definition(&self) -> &'static Definition {
        self.definition
    }

    fn start(&mut self, start: ChildStart<'_>) -> Result<(), StartError> {
        self.host.record(start.is_recording);
        let options = Arc::new(MachineOptions {
            mock_mode: start.mock_mode,
            fallback: start.fallback,
            ..MachineOptions::default()
        });
        let mut run = Run::start(self.definition, &options, &*self.host, start.goal)?;
        run.facts.outer = Some(start.outer);
        run.facts.last_call = start.last_call;
        run.facts.apply_inherited(start.limits);
        run.facts.apply_unattended(start.unattended);
        self.run = Some(run);
        Ok(())
    }

    fn share(&mut self, shared: SharedLimits) {
        if let Some(run) = &mut self.run {
            run.facts.apply_inherited(shared.limits);
            run.facts.apply_unattended(shared.unattended);
            run.facts.last_call = run.facts.last_call.max(shared.last_call);
        }
    }

    fn poll(&mut self, due: &mut DueDirectives<'_>) -> Option<Ending<TaskIndex>> {
        self.run.as_mut()?.advance(&mut *self.host, due)
    }

    fn handle(&mut self, event: Event) -> EventOutcome {
        match &mut self.run {
            Some(run) => run.apply(event, &mut *self.host),
            None => EventOutcome::Stale,
        }
    }

    fn totals(&self) -> Totals {
        self.run.as_ref().map(Run::totals).unwrap_or_default()
    }

    fn save(&self) -> Result<Snapshot, SnapshotError> {
        self.run.as_ref().ok_or(SnapshotError::Idle)?.save(&*self.host)
    }

    fn into_state(self: Box<Self>) -> Box<dyn Any> {
        self.host.into_state()
    }

    fn drain_events(&mut self) -> Vec<RunEvent> {
        let definition = self.definition;
        let events = self.host.events().drain(..);
        events.filter_map(|recorded| recorded.into_erased(definition)).collect()
    }

    fn record(&mut self, on: bool) {
        self.host.record(on);
        if let Some(run) = &mut self.run {
            run.record_children(on);
        }
    }

    fn is_at_boundary(&self) -> bool {
        self.run.as_ref().is_some_and(Run::is_at_boundary)
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        self.run.as_ref().map_or(&NoCalls, Run::open_calls)
    }

    fn panic_report(&self, message: &str) -> Panic {
        let place = self.host.panic_place();
        match &self.run {
            Some(run) => run.panic_report(message, place),
            None => Panic::new(self.definition.about.name, "", place, message),
        }
    }

    fn prompt(&self) -> Result<ModelRequest, String> {
        inspect::prompt(self.started()?, &*self.host)
    }

    fn partial_prompt(&self, partial: &PartialPrompt) -> Result<String, String> {
        inspect::partial_prompt(self.started()?, partial, &*self.host)
    }
}

impl ChildMachine {
    fn started(&self) -> Result<&Run, String> {
        self.run.as_ref().ok_or_else(|| "its sub-process has not started".to_owned())
    }
}

impl fmt::Debug for ChildMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildMachine")
            .field("process", &self.definition.about.name)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}
