//! Emits events to observers and to the stream.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use cot_engine::{Process, ProcessEvent};
use cot_store::RunId;

/// The context of an event that observers get: the run, and the time of the event.
///
/// ```
/// # #![allow(dead_code, reason = "no process is declared here")]
/// use std::time::SystemTime;
///
/// use cot_core::{EventContext, Process, ProcessEvent, Runner};
///
/// /// An observer, for any process.
/// fn log<P: Process>(event: &ProcessEvent<P>, context: &EventContext) {
///     let since_1970 = context.at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
///     println!("{} {} {event:?}", since_1970.as_millis(), context.run_id);
/// }
///
/// fn logged<P: Process>(runner: Runner<P>) -> Runner<P> {
///     runner.observe(log::<P>)
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EventContext {
    /// The name of the run: its name in the store, or a generated one if it is not stored. Events of
    /// sub-processes have the name of the whole run.
    pub run_id: RunId,
    /// When the event happened, by the clock of the driver's computer. Not earlier than the preceding event,
    /// unless the clock is set back.
    pub at: SystemTime,
}

impl EventContext {
    /// Creates a context, for tests of an observer.
    #[must_use]
    pub const fn new(run_id: RunId, at: SystemTime) -> Self {
        Self { run_id, at }
    }
}

/// A function that is called with each event.
pub(crate) type Observer<P> = Arc<dyn Fn(&ProcessEvent<P>, &EventContext) + Send + Sync>;

/// Emits the events of a run to the observers and to the stream.
pub(crate) struct Emitter<P: Process> {
    context: EventContext,
    /// The queue of the stream, if there is one.
    queue: Option<VecDeque<ProcessEvent<P>>>,
    /// Events of a stored run that are emitted once the journal is durable.
    held: Vec<(SystemTime, ProcessEvent<P>)>,
}

impl<P: Process> Emitter<P> {
    pub(crate) const fn new(run_id: RunId) -> Self {
        let context = EventContext::new(run_id, UNIX_EPOCH);
        Self { context, queue: None, held: Vec::new() }
    }

    pub(crate) const fn run_id(&self) -> &RunId {
        &self.context.run_id
    }

    /// Starts or ends the stream.
    pub(crate) fn stream(&mut self, on: bool) {
        self.queue = on.then(VecDeque::new);
    }

    /// Takes the next event of the stream.
    pub(crate) fn next(&mut self) -> Option<ProcessEvent<P>> {
        self.queue.as_mut()?.pop_front()
    }

    /// Returns whether the stream has an event.
    pub(crate) fn has_next(&self) -> bool {
        self.queue.as_ref().is_some_and(|queue| !queue.is_empty())
    }

    /// Emits an event. Reads the time only if there are observers.
    pub(crate) fn emit(
        &mut self,
        observers: &[Observer<P>],
        time: &mut impl FnMut() -> SystemTime,
        event: ProcessEvent<P>,
    ) {
        if !observers.is_empty() {
            self.context.at = time();
        }
        for observer in observers {
            // A panic can only break state of the observer itself; the panic hook has reported it.
            let _ = catch_unwind(AssertUnwindSafe(|| observer(&event, &self.context)));
        }
        if let Some(queue) = &mut self.queue {
            queue.push_back(event);
        }
    }

    /// Holds an event back until [`emit_held`](Self::emit_held).
    pub(crate) fn hold(&mut self, at: SystemTime, event: ProcessEvent<P>) {
        self.held.push((at, event));
    }

    /// Emits the events that were held back, each with its own time.
    pub(crate) fn emit_held(&mut self, observers: &[Observer<P>]) {
        let mut held = std::mem::take(&mut self.held);
        for (at, event) in held.drain(..) {
            self.emit(observers, &mut || at, event);
        }
        // Reuses the allocation.
        self.held = held;
    }
}
