//! A subscriber that records spans and where log lines belong, and an instrument that checks the contract.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use cot_core::trace::{RunFacts, RunInstrument, RunSpan, SpanEnd, SpanEvent, SpanFacts};
use tracing::{
    Event, Id, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Record},
    subscriber::DefaultGuard,
};
use tracing_subscriber::{Layer, layer::Context, prelude::*, registry::LookupSpan};

/// Keeps other tests from running. Subscribers of other threads have a part in which spans are enabled.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A recorded span.
#[derive(Debug, Clone, Default)]
pub(crate) struct SeenSpan {
    pub(crate) name: &'static str,
    pub(crate) parent: Option<u64>,
    pub(crate) fields: BTreeMap<&'static str, String>,
    pub(crate) is_closed: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) spans: BTreeMap<u64, SeenSpan>,
    /// Messages, each with the span that it belongs to.
    pub(crate) lines: Vec<(String, Option<u64>)>,
    /// The number of the next span, since ids of the registry are used again.
    next: u64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Seen>>);

#[derive(Clone, Copy)]
struct Number(u64);

impl Recorder {
    /// Records what this thread does until the guard is dropped.
    pub(crate) fn install() -> (Self, DefaultGuard) {
        let recorder = Self::default();
        let subscriber = tracing_subscriber::registry().with(recorder.clone());
        (recorder, subscriber.set_default())
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap()
    }

    /// Returns the spans as paths, such as `run/task:ask/attempt:1`, sorted, and checks that all are closed.
    pub(crate) fn paths(&self) -> Vec<String> {
        let seen = self.seen();
        for span in seen.spans.values() {
            assert!(span.is_closed, "{span:?} is open");
        }
        let mut paths: Vec<_> = seen.spans.keys().map(|id| seen.path(*id)).collect();
        paths.sort();
        paths
    }

    /// Returns the lines of the program, each with the path of its span.
    pub(crate) fn lines(&self) -> Vec<(String, String)> {
        let seen = self.seen();
        let path = |id: &Option<u64>| id.map_or_else(String::new, |id| seen.path(id));
        seen.lines.iter().map(|(line, id)| (line.clone(), path(id))).collect()
    }

    /// Returns the path of the span in which the program wrote a line.
    pub(crate) fn place_of(&self, line: &str) -> String {
        let lines = self.lines();
        let found = lines.iter().find(|(text, _)| text == line);
        found.unwrap_or_else(|| panic!("no {line:?} in {lines:?}")).1.clone()
    }
}

impl Seen {
    fn path(&self, id: u64) -> String {
        let span = &self.spans[&id];
        let field = |name| span.fields.get(name).map_or("", String::as_str);
        let label = match span.name {
            "task" => format!("task:{}", field("task")),
            "attempt" if span.fields.contains_key("item") => {
                format!("attempt:{}[{}]", field("attempt"), field("item"))
            }
            "attempt" => format!("attempt:{}", field("attempt")),
            "call" => format!("call:{}:{}", field("kind"), field("key")),
            "tool" => format!("tool:{}:{}", field("tool"), field("key")),
            other => other.to_owned(),
        };
        match span.parent {
            Some(parent) => format!("{}/{label}", self.path(parent)),
            None => label,
        }
    }
}

struct Fields<'a>(&'a mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut span = SeenSpan { name: attributes.metadata().name(), ..SeenSpan::default() };
        attributes.record(&mut Fields(&mut span.fields));
        let created = context.span(id).unwrap();
        span.parent = created.parent().map(|parent| number(&parent.extensions()));
        let mut seen = self.seen();
        seen.next += 1;
        created.extensions_mut().insert(Number(seen.next));
        let next = seen.next;
        seen.spans.insert(next, span);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let number = number(&context.span(id).unwrap().extensions());
        values.record(&mut Fields(&mut self.seen().spans.get_mut(&number).unwrap().fields));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = BTreeMap::new();
        event.record(&mut Fields(&mut fields));
        let span = context.event_span(event).map(|span| number(&span.extensions()));
        let line = fields.remove("message").unwrap_or_default();
        self.seen().lines.push((line, span));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let number = number(&context.span(&id).unwrap().extensions());
        let mut seen = self.seen();
        let span = seen.spans.get_mut(&number).unwrap();
        assert!(!span.is_closed);
        span.is_closed = true;
    }
}

fn number(extensions: &tracing_subscriber::registry::Extensions<'_>) -> u64 {
    extensions.get::<Number>().unwrap().0
}

/// An instrument that checks that spans end once, after their children, and hear nothing afterwards.
#[derive(Clone, Default)]
pub(crate) struct Checker(Arc<CheckerState>);

#[derive(Default)]
struct CheckerState {
    started: AtomicUsize,
    ended: AtomicUsize,
    /// The facts, events and ends, in order.
    log: Mutex<Vec<String>>,
}

struct CheckedSpan {
    state: Arc<CheckerState>,
    parent: Option<Arc<CheckedSpan>>,
    children: AtomicUsize,
    is_ended: AtomicUsize,
    is_run: bool,
    this: std::sync::Weak<CheckedSpan>,
}

impl Checker {
    /// Checks that all spans have ended, and returns the log.
    pub(crate) fn finish(&self) -> Vec<String> {
        let count = |counter: &AtomicUsize| counter.load(Ordering::SeqCst);
        assert!(count(&self.0.started) > 0);
        assert_eq!(count(&self.0.started), count(&self.0.ended));
        self.0.log.lock().unwrap().clone()
    }

    fn start(state: &Arc<CheckerState>, parent: Option<&CheckedSpan>) -> Arc<dyn RunSpan> {
        state.started.fetch_add(1, Ordering::SeqCst);
        Arc::new_cyclic(|this| CheckedSpan {
            state: Arc::clone(state),
            parent: parent.and_then(|parent| parent.this.upgrade()),
            children: AtomicUsize::new(0),
            is_ended: AtomicUsize::new(0),
            is_run: parent.is_none(),
            this: this.clone(),
        })
    }
}

impl CheckedSpan {
    fn note(&self, line: String) {
        assert_eq!(self.is_ended.load(Ordering::SeqCst), 0, "{line} after the end");
        self.state.log.lock().unwrap().push(line);
    }
}

impl RunInstrument for Checker {
    fn start_run(&self, run: &RunFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        self.0.log.lock().unwrap().push(format!("run, resumed: {}", run.is_resumed));
        Some(Self::start(&self.0, None))
    }
}

impl RunSpan for CheckedSpan {
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        self.note(format!("start {child:?}"));
        if matches!(child, SpanFacts::Attempt(_)) {
            return None;
        }
        self.children.fetch_add(1, Ordering::SeqCst);
        Some(Checker::start(&self.state, Some(self)))
    }

    fn enter(&self, poll: &mut dyn FnMut()) {
        assert_eq!(self.is_ended.load(Ordering::SeqCst), 0);
        poll();
    }

    fn event(&self, event: &SpanEvent<'_>) {
        self.note(format!("event {event:?}"));
    }

    fn end(&self, end: &SpanEnd<'_>) {
        self.note(format!("end {end:?}"));
        assert_eq!(self.children.load(Ordering::SeqCst), 0, "{end:?} before the children");
        assert_eq!(self.is_run, self.parent.is_none());
        self.is_ended.fetch_add(1, Ordering::SeqCst);
        self.state.ended.fetch_add(1, Ordering::SeqCst);
        if let Some(parent) = &self.parent {
            parent.children.fetch_sub(1, Ordering::SeqCst);
        }
    }
}
