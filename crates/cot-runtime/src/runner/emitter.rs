//! Emits events to observers and to the stream.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use cot_engine::{Process, ProcessEvent, RunEvent, internal::RecordedEvent};
use cot_store::RunId;

use crate::{
    clock,
    runner::{observer::EventContext, typed_config::TypedConfig},
};

/// Reads the time of events.
pub(crate) type ReadTime<'a> = &'a mut dyn FnMut() -> SystemTime;

/// Emits the events of a run to the observers and to the stream. When it is dropped before the run is over,
/// observers that have received an event receive [`RunEvent::Detached`].
pub(crate) struct Emitter<P: Process> {
    pub(crate) config: Arc<TypedConfig<P>>,
    /// Whether observers know that the run is driven: they have received an event, and not that it is over.
    is_attached: bool,
    context: EventContext,
    /// The queue of the stream, if there is one.
    #[expect(clippy::box_collection, reason = "most runs have no stream, and drivers stay small")]
    queue: Option<Box<VecDeque<RecordedEvent>>>,
    /// Events of a stored run that are emitted once the journal is durable.
    held: Vec<(SystemTime, RecordedEvent)>,
}

impl<P: Process> Emitter<P> {
    pub(crate) fn new(run_id: RunId, config: &Arc<TypedConfig<P>>) -> Self {
        let (context, config) = (EventContext::new(run_id, UNIX_EPOCH), Arc::clone(config));
        Self { config, is_attached: false, context, queue: None, held: Vec::new() }
    }

    pub(crate) const fn run_id(&self) -> &RunId {
        &self.context.run_id
    }

    /// Starts or ends the stream.
    pub(crate) fn set_stream(&mut self, on: bool) {
        self.queue = on.then(Box::default);
    }

    /// Takes the next event of the stream.
    pub(crate) fn next(&mut self) -> Option<ProcessEvent<P>> {
        self.queue.as_mut()?.pop_front()?.into_typed::<P>()
    }

    /// Returns whether the stream has an event.
    pub(crate) fn has_next(&self) -> bool {
        self.queue.as_ref().is_some_and(|queue| !queue.is_empty())
    }

    /// Returns whether anything receives the events.
    pub(crate) fn has_receivers(&self) -> bool {
        self.queue.is_some() || !self.config.observers.is_empty()
    }

    /// Emits an event. Reads the time only if there are observers.
    pub(crate) fn emit(&mut self, time: ReadTime<'_>, event: RecordedEvent) {
        if self.config.observers.is_empty() {
            if let Some(queue) = &mut self.queue {
                queue.push_back(event);
            }
            return;
        }
        if let Some(queue) = &mut self.queue {
            queue.push_back(event.clone());
        }
        self.context.at = time();
        let ends = matches!(event.untyped(), RunEvent::Finished { .. } | RunEvent::Detached);
        self.is_attached = !ends;
        if let Some(event) = event.into_typed::<P>() {
            self.observe(&event);
        }
    }

    fn observe(&self, event: &ProcessEvent<P>) {
        for observer in &self.config.observers {
            // A panic can only break state of the observer itself; the panic hook has reported it.
            let _ = catch_unwind(AssertUnwindSafe(|| observer(event, &self.context)));
        }
    }

    /// Holds an event back until [`emit_held`](Self::emit_held).
    pub(crate) fn hold(&mut self, at: SystemTime, event: RecordedEvent) {
        self.held.push((at, event));
    }

    /// Emits the events that were held back, each with its own time.
    pub(crate) fn emit_held(&mut self) {
        let mut held = std::mem::take(&mut self.held);
        for (at, event) in held.drain(..) {
            self.emit(&mut || at, event);
        }
        // Reuses the allocation.
        self.held = held;
    }

    /// Drops the events that were held back.
    pub(crate) fn drop_held(&mut self) {
        self.held.clear();
    }
}

impl<P: Process> Drop for Emitter<P> {
    fn drop(&mut self) {
        if self.is_attached {
            self.queue = None;
            self.emit(&mut clock::now, RunEvent::Detached.into());
        }
    }
}
