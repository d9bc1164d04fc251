//! The events of streaming replies: chunks and partial outputs.

use std::{
    collections::VecDeque,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

use cot_engine::{
    Directive, ModelCall, Process, ProcessEvent, RunEvent,
    internal::{News, PartialReader},
};
use cot_model::{Delta, DeltaSink};

/// Selects the stream events that are emitted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Told {
    /// Whether each chunk of text is emitted.
    pub(crate) pieces: bool,
    /// Whether partial outputs are emitted.
    pub(crate) partials: bool,
}

/// Collects the stream events of all calls in flight until the driver emits them.
pub(crate) struct Deltas<P: Process> {
    told: Told,
    news: Arc<Mutex<Fresh<P>>>,
}

/// The stream events that were not emitted yet.
struct Fresh<P: Process> {
    pieces: VecDeque<ProcessEvent<P>>,
    outputs: Vec<Arc<Output<P>>>,
}

/// The partial output of a streaming reply.
struct Output<P: Process> {
    task: P::Task,
    item: Option<usize>,
    attempt: u32,
    reader: Mutex<PartialReader>,
    /// Whether the output is queued for emission.
    is_fresh: AtomicBool,
}

impl<P: Process> Deltas<P> {
    /// Creates the collector; `None` if no stream events are selected.
    pub(crate) fn new(told: Told) -> Option<Self> {
        let fresh = Fresh { pieces: VecDeque::new(), outputs: Vec::new() };
        (told.pieces || told.partials).then(|| Self { told, news: Arc::new(Mutex::new(fresh)) })
    }

    /// Takes the events since the last call: the chunks in order, then one partial output for each changed
    /// reply. Replies are parsed only here, so that no unobserved state is parsed.
    pub(crate) fn take(&self) -> impl Iterator<Item = ProcessEvent<P>> + use<P> {
        let (pieces, outputs) = {
            let mut fresh = lock(&self.news);
            (mem::take(&mut fresh.pieces), mem::take(&mut fresh.outputs))
        };
        pieces.into_iter().chain(outputs.into_iter().filter_map(|output| output.news()))
    }

    /// Returns a listener for the reply of a call; `None` if no events of it are selected.
    pub(crate) fn listen(
        &self,
        directive: &Directive<P::Task>,
        call: &ModelCall,
    ) -> Option<Listener<P>> {
        let Directive { task, key, .. } = directive;
        let (task, item, attempt) = (*task, key.item(), key.attempt());
        let output = call.output.filter(|_| self.told.partials).map(|schema| {
            let reader = Mutex::new(PartialReader::new(schema));
            Arc::new(Output { task, item, attempt, reader, is_fresh: AtomicBool::new(false) })
        });
        let has_listener = self.told.pieces || output.is_some();
        has_listener.then(|| Listener::new(self, (task, item, attempt), output))
    }
}

/// Receives the chunks of one reply. Ignores them once the collector is dropped.
pub(crate) struct Listener<P: Process> {
    sink: DeltaSink,
    news: Weak<Mutex<Fresh<P>>>,
    output: Option<Arc<Output<P>>>,
}

impl<P: Process> Listener<P> {
    fn new(
        &Deltas { told, ref news }: &Deltas<P>,
        (task, item, attempt): (P::Task, Option<usize>, u32),
        output: Option<Arc<Output<P>>>,
    ) -> Self {
        let (weak, heard) = (Arc::downgrade(news), output.clone());
        let sink = DeltaSink::new(move |delta| {
            let Some(news) = weak.upgrade() else {
                return;
            };
            if told.pieces {
                let event = RunEvent::Delta { task, item, attempt, text: text(delta) };
                lock(&news).pieces.push_back(event);
            }
            if let Some(output) = &heard {
                output.hear(delta);
                output.register(&news);
            }
        });
        Self { sink, news: Arc::downgrade(news), output }
    }

    /// Returns the sink for the chunks of the reply.
    pub(crate) const fn sink(&self) -> &DeltaSink {
        &self.sink
    }

    /// Marks the reply as complete.
    pub(crate) fn end(&self) {
        if let (Some(output), Some(news)) = (&self.output, self.news.upgrade()) {
            lock(&output.reader).end();
            output.register(&news);
        }
    }
}

impl<P: Process> Output<P> {
    fn hear(&self, delta: Delta<'_>) {
        let mut reader = lock(&self.reader);
        match delta {
            Delta::Text(text) => reader.push(text),
            Delta::Restart => reader.restart(),
        }
    }

    /// Queues the output for emission, unless it is queued already.
    fn register(self: &Arc<Self>, news: &Mutex<Fresh<P>>) {
        if !self.is_fresh.swap(true, Ordering::AcqRel) {
            lock(news).outputs.push(Arc::clone(self));
        }
    }

    fn news(&self) -> Option<ProcessEvent<P>> {
        // Cleared before it is parsed, so that chunks that arrive meanwhile queue it again.
        self.is_fresh.store(false, Ordering::Release);
        let partial = match lock(&self.reader).news()? {
            News::Partial(partial) => Some(partial),
            News::Void => None,
        };
        let Self { task, item, attempt, .. } = *self;
        Some(RunEvent::Partial { task, item, attempt, partial })
    }
}

fn text(delta: Delta<'_>) -> Option<Arc<str>> {
    match delta {
        Delta::Text(text) => Some(Arc::from(text)),
        Delta::Restart => None,
    }
}

// A thread that panicked with the lock can't leave the data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
