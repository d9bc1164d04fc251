//! Replies that are told while they are written.

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

/// What is told of replies that are being written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Told {
    /// Each piece of text.
    pub(crate) pieces: bool,
    /// The output so far.
    pub(crate) partials: bool,
}

/// Replies that are being written, from where their pieces are pushed to where they are told.
pub(crate) struct Deltas<P: Process> {
    told: Told,
    news: Arc<Mutex<Fresh<P>>>,
}

/// What has come since it was told last.
struct Fresh<P: Process> {
    pieces: VecDeque<ProcessEvent<P>>,
    outputs: Vec<Arc<Output<P>>>,
}

/// The output of a reply that is being written.
struct Output<P: Process> {
    task: P::Task,
    item: Option<usize>,
    attempt: u32,
    reader: Mutex<PartialReader>,
    /// Whether it is among those of which something has come.
    is_fresh: AtomicBool,
}

impl<P: Process> Deltas<P> {
    /// A place for what is told; none, if nothing is.
    pub(crate) fn new(told: Told) -> Option<Self> {
        let fresh = Fresh { pieces: VecDeque::new(), outputs: Vec::new() };
        (told.pieces || told.partials).then(|| Self { told, news: Arc::new(Mutex::new(fresh)) })
    }

    /// What came since the last call: the pieces in their order, then of each reply what it says so far.
    /// Replies are read only here, so that nothing is read that nobody would see.
    pub(crate) fn take(&self) -> impl Iterator<Item = ProcessEvent<P>> + use<P> {
        let (pieces, outputs) = {
            let mut fresh = lock(&self.news);
            (mem::take(&mut fresh.pieces), mem::take(&mut fresh.outputs))
        };
        pieces.into_iter().chain(outputs.into_iter().filter_map(|output| output.news()))
    }

    /// Listens to the reply of a call, unless nothing is told of it.
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

/// Hears the reply of one call; goes deaf, once nobody takes what is told any more.
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

    /// Where the pieces of the reply go.
    pub(crate) const fn sink(&self) -> &DeltaSink {
        &self.sink
    }

    /// The whole reply has come.
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

    /// Sees to it that it is looked at.
    fn register(self: &Arc<Self>, news: &Mutex<Fresh<P>>) {
        if !self.is_fresh.swap(true, Ordering::AcqRel) {
            lock(news).outputs.push(Arc::clone(self));
        }
    }

    fn news(&self) -> Option<ProcessEvent<P>> {
        // Before it is read: what comes meanwhile is looked at again.
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

// A thread that panicked with the lock left nothing half done behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
