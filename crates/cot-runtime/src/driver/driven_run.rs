//! The typed part of a driver: its machine, and the receivers of its events.

use std::{sync::Arc, time::SystemTime};

use cot_engine::{
    Machine, Process, Snapshot,
    internal::{AnyMachine, IndexEvent, RecordedEvent},
};
use cot_store::{RunId, RunSubmitted};

use crate::{
    persistence::submitted,
    runner::{
        config::Config,
        emitter::{Emitter, ReadTime},
        error::RunError,
        typed_config::TypedConfig,
    },
};

/// The run of a driver without the types of its process, so that the driver is compiled once for all processes.
pub(crate) trait DrivenRun: Send {
    fn machine(&self) -> &dyn AnyMachine;
    fn machine_mut(&mut self) -> &mut dyn AnyMachine;
    fn run_id(&self) -> &RunId;
    /// Returns whether the runner has observers.
    fn has_observers(&self) -> bool;
    /// Starts or ends the stream of events.
    fn set_stream(&mut self, on: bool);
    /// Returns whether the stream has an event.
    fn has_event(&self) -> bool;
    /// Emits an event without an output. Reads the time only if there are observers.
    fn emit(&mut self, time: ReadTime<'_>, event: IndexEvent);
    /// Emits the new events of the machine, each after `watch` has received it.
    fn emit_new(&mut self, time: ReadTime<'_>, watch: Watch<'_>);
    /// Holds an event without an output back until [`emit_held`](Self::emit_held).
    fn hold(&mut self, at: SystemTime, event: IndexEvent);
    /// Holds the new events of the machine back, each after `watch` has received it.
    fn hold_new(&mut self, time: ReadTime<'_>, watch: Watch<'_>);
    /// Emits the events that were held back, each with its own time.
    fn emit_held(&mut self);
    /// Drops the events that were held back and the new ones of the machine, which tell of what was not committed.
    fn drop_held(&mut self);
    /// Replaces the machine by that of a submitted run, which it starts.
    fn begin(&mut self, config: &Config, submitted: RunSubmitted) -> Result<(), RunError>;
    /// Replaces the machine by one that is restored from a snapshot and completed by `complete`. An error leaves
    /// the machine as it was.
    fn resume(
        &mut self,
        config: &Config,
        snapshot: Snapshot,
        complete: Complete<'_>,
    ) -> Result<(), RunError>;
}

/// Receives the events of a machine.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(&IndexEvent);

/// Completes a machine that was restored from a snapshot.
pub(crate) type Complete<'a> = Box<dyn FnOnce(&mut dyn AnyMachine) -> Result<(), RunError> + 'a>;

/// A machine, and the receivers of its events.
pub(crate) struct TypedRun<P: Process> {
    pub(crate) machine: Machine<P>,
    pub(crate) emitter: Emitter<P>,
}

impl<P: Process> TypedRun<P> {
    pub(super) fn new(machine: Machine<P>, run_id: RunId, config: &Arc<TypedConfig<P>>) -> Self {
        Self { machine, emitter: Emitter::new(run_id, config) }
    }

    /// Passes the new events of the machine to `watch`, and to `receive` if anything receives them.
    fn drain_new(
        &mut self,
        watch: Watch<'_>,
        mut receive: impl FnMut(&mut Emitter<P>, RecordedEvent),
    ) {
        let is_received = self.emitter.has_receivers();
        let machine: &mut dyn AnyMachine = &mut self.machine;
        for recorded in machine.drain_recorded() {
            watch(recorded.untyped());
            if is_received {
                receive(&mut self.emitter, recorded);
            }
        }
    }
}

impl<P: Process> DrivenRun for TypedRun<P> {
    fn machine(&self) -> &dyn AnyMachine {
        &self.machine
    }

    fn machine_mut(&mut self) -> &mut dyn AnyMachine {
        &mut self.machine
    }

    fn run_id(&self) -> &RunId {
        self.emitter.run_id()
    }

    fn has_observers(&self) -> bool {
        !self.emitter.config.observers.is_empty()
    }

    fn set_stream(&mut self, on: bool) {
        self.emitter.set_stream(on);
    }

    fn has_event(&self) -> bool {
        self.emitter.has_next()
    }

    fn emit(&mut self, time: ReadTime<'_>, event: IndexEvent) {
        self.emitter.emit(time, event.into());
    }

    fn emit_new(&mut self, time: ReadTime<'_>, watch: Watch<'_>) {
        self.drain_new(watch, |emitter, event| emitter.emit(time, event));
    }

    fn hold(&mut self, at: SystemTime, event: IndexEvent) {
        self.emitter.hold(at, event.into());
    }

    fn hold_new(&mut self, time: ReadTime<'_>, watch: Watch<'_>) {
        self.drain_new(watch, |emitter, event| emitter.hold(time(), event));
    }

    fn emit_held(&mut self) {
        self.emitter.emit_held();
    }

    fn drop_held(&mut self) {
        self.drain_new(&mut |_| {}, |_, _| {});
        self.emitter.drop_held();
    }

    fn begin(&mut self, config: &Config, submitted: RunSubmitted) -> Result<(), RunError> {
        let Self { machine, emitter } = self;
        *machine = submitted::begin(config, &emitter.config, emitter.run_id(), submitted)?;
        Ok(())
    }

    fn resume(
        &mut self,
        config: &Config,
        snapshot: Snapshot,
        complete: Complete<'_>,
    ) -> Result<(), RunError> {
        let Self { machine, emitter } = self;
        let run_id = emitter.run_id();
        let resumed = emitter.config.resume_machine(config, snapshot, run_id);
        let mut resumed = resumed.map_err(|error| RunError::resuming(run_id, error))?;
        complete(&mut resumed)?;
        *machine = resumed;
        Ok(())
    }
}
