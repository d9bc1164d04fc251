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
    Directive, ModelCall, RunEvent,
    internal::{IndexEvent, PartialReader, PartialUpdate, TaskIndex},
};
use cot_model::{Delta, DeltaSink};

use crate::{
    driver::drafts::{DraftBoard, OpenDraft},
    trace::call_cell::CallCell,
};

/// Selects the stream events that are emitted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StreamOptions {
    /// Whether each chunk of text and of thoughts is emitted.
    pub(crate) deltas: bool,
    /// Whether partial outputs are emitted.
    pub(crate) partials: bool,
    /// Whether the beginnings of replies are shown in the store.
    pub(crate) drafts: bool,
}

/// Collects the stream events of all calls in flight until the driver emits them.
pub(crate) struct StreamEvents {
    options: StreamOptions,
    pending: Arc<Mutex<PendingEvents>>,
    drafts: DraftBoard,
}

/// The stream events that were not emitted yet.
struct PendingEvents {
    deltas: VecDeque<IndexEvent>,
    outputs: Vec<Arc<StreamedOutput>>,
}

/// The partial output of a streaming reply.
struct StreamedOutput {
    task: TaskIndex,
    item: Option<usize>,
    attempt: u32,
    reader: Mutex<PartialReader>,
    /// Whether the output is queued for emission.
    is_queued: AtomicBool,
}

impl StreamEvents {
    /// Creates the collector; `None` if no stream events are selected.
    pub(crate) fn new(options: StreamOptions) -> Option<Self> {
        let pending_events = PendingEvents { deltas: VecDeque::new(), outputs: Vec::new() };
        (options.deltas || options.partials || options.drafts).then(|| Self {
            options,
            pending: Arc::new(Mutex::new(pending_events)),
            drafts: DraftBoard::default(),
        })
    }

    /// Returns the beginnings of the replies, for the store; `None` if they are not selected.
    pub(crate) fn drafts(&self) -> Option<&DraftBoard> {
        self.options.drafts.then_some(&self.drafts)
    }

    /// Takes the events since the last call: the chunks in order, then one partial output for each changed
    /// reply. Replies are parsed only here, so that no unobserved state is parsed.
    pub(crate) fn take(&self) -> impl Iterator<Item = IndexEvent> + use<> {
        let (deltas, outputs) = {
            let mut pending_events = lock(&self.pending);
            (mem::take(&mut pending_events.deltas), mem::take(&mut pending_events.outputs))
        };
        deltas.into_iter().chain(outputs.into_iter().filter_map(|output| output.take_event()))
    }

    /// Returns a listener for the reply of a call; `None` if no events of it are selected.
    pub(crate) fn listen(
        &self,
        directive: &Directive,
        call: &ModelCall,
        cell: Option<&Arc<CallCell>>,
    ) -> Option<ReplyListener> {
        let Directive { task, key, .. } = directive;
        let (task, item, attempt) = (*task, key.item(), key.attempt());
        let output = call.output.filter(|_| self.options.partials).map(|schema| {
            let reader = Mutex::new(PartialReader::new(schema));
            Arc::new(StreamedOutput {
                task,
                item,
                attempt,
                reader,
                is_queued: AtomicBool::new(false),
            })
        });
        let draft = self.options.drafts.then(|| self.drafts.begin(directive.id, key.clone()));
        let has_listener = self.options.deltas || output.is_some() || draft.is_some();
        has_listener.then(|| ReplyListener::new(self, (task, item, attempt), output, (draft, cell)))
    }
}

/// Receives the chunks of one reply. Ignores them once the collector is dropped.
pub(crate) struct ReplyListener {
    sink: DeltaSink,
    pending: Weak<Mutex<PendingEvents>>,
    output: Option<Arc<StreamedOutput>>,
    /// The draft of the reply, which ends with the call.
    _draft: Option<OpenDraft>,
}

impl ReplyListener {
    fn new(
        &StreamEvents { options, ref pending, ref drafts }: &StreamEvents,
        (task, item, attempt): (TaskIndex, Option<usize>, u32),
        output: Option<Arc<StreamedOutput>>,
        (draft, cell): (Option<OpenDraft>, Option<&Arc<CallCell>>),
    ) -> Self {
        let (weak, streamed) = (Arc::downgrade(pending), output.clone());
        let drafted = draft.as_ref().map(|draft| (drafts.clone(), draft.id()));
        let cell = cell.cloned();
        let sink = DeltaSink::new(move |delta| {
            if let (Some(cell), Delta::Text(_) | Delta::Thought(_)) = (&cell, delta) {
                cell.note_chunk();
            }
            let Some(pending) = weak.upgrade() else {
                return;
            };
            if options.deltas {
                let event = match delta {
                    Delta::Text(text) => {
                        RunEvent::Delta { task, item, attempt, text: Some(Arc::from(text)) }
                    }
                    Delta::Thought(text) => {
                        RunEvent::Thought { task, item, attempt, text: Arc::from(text) }
                    }
                    Delta::Restart => RunEvent::Delta { task, item, attempt, text: None },
                };
                lock(&pending).deltas.push_back(event);
            }
            if let Some(output) = &streamed {
                output.push(delta);
                output.enqueue(&pending);
            }
            if let Some((drafts, id)) = &drafted {
                drafts.push(*id, delta);
            }
        });
        Self { sink, pending: Arc::downgrade(pending), output, _draft: draft }
    }

    /// Returns the sink for the chunks of the reply.
    pub(crate) const fn sink(&self) -> &DeltaSink {
        &self.sink
    }

    /// Marks the reply as complete.
    pub(crate) fn end(&self) {
        if let (Some(output), Some(pending)) = (&self.output, self.pending.upgrade()) {
            lock(&output.reader).end();
            output.enqueue(&pending);
        }
    }
}

impl StreamedOutput {
    fn push(&self, delta: Delta<'_>) {
        let mut reader = lock(&self.reader);
        match delta {
            Delta::Text(text) => reader.push(text),
            Delta::Thought(_) => {}
            Delta::Restart => reader.restart(),
        }
    }

    /// Queues the output for emission, unless it is queued already.
    fn enqueue(self: &Arc<Self>, pending: &Mutex<PendingEvents>) {
        if !self.is_queued.swap(true, Ordering::AcqRel) {
            lock(pending).outputs.push(Arc::clone(self));
        }
    }

    fn take_event(&self) -> Option<IndexEvent> {
        // Cleared before it is parsed, so that chunks that arrive meanwhile queue it again.
        self.is_queued.store(false, Ordering::Release);
        let partial = match lock(&self.reader).take_update()? {
            PartialUpdate::Partial(partial) => Some(partial),
            PartialUpdate::Void => None,
        };
        let Self { task, item, attempt, .. } = *self;
        Some(RunEvent::Partial { task, item, attempt, partial })
    }
}

// A thread that panicked with the lock can't leave the data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
