//! Several instruments of one run.

use std::sync::Arc;

use cot_model::TraceContext;

use crate::trace::{
    facts::{RunFacts, SpanFacts},
    instrument::{RunInstrument, RunSpan},
    span_event::{SpanEnd, SpanEvent},
    span_ref::SpanRef,
};

/// The spans of several instruments.
struct Fanout(Vec<SpanRef>);

/// Starts the span of a run with each instrument; `None` if no one follows the run.
pub(crate) fn start_run<'a>(
    instruments: impl Iterator<Item = &'a dyn RunInstrument>,
    facts: &RunFacts<'_>,
) -> Option<Arc<dyn RunSpan>> {
    let mut spans: Vec<_> = instruments.filter_map(|each| each.start_run(facts)).collect();
    match spans.len() {
        0 | 1 => spans.pop(),
        _ => Some(Arc::new(Fanout(spans.into_iter().map(SpanRef::own).collect()))),
    }
}

impl RunSpan for Fanout {
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        let spans: Vec<SpanRef> = self.0.iter().map(|span| span.start_child(child)).collect();
        let has_own = spans.iter().any(SpanRef::is_own);
        has_own.then(|| Arc::new(Self(spans)) as Arc<dyn RunSpan>)
    }

    fn enter(&self, poll: &mut dyn FnMut()) {
        enter_all(&self.0, poll);
    }

    fn event(&self, event: &SpanEvent<'_>) {
        self.0.iter().for_each(|span| span.event(event));
    }

    fn end(&self, end: &SpanEnd<'_>) {
        self.0.iter().for_each(|span| span.end(end));
    }

    fn trace_context(&self) -> Option<TraceContext> {
        self.0.iter().find_map(SpanRef::trace_context)
    }
}

fn enter_all(spans: &[SpanRef], poll: &mut dyn FnMut()) {
    match spans {
        [] => poll(),
        [span, inner @ ..] => span.enter(&mut || enter_all(inner, poll)),
    }
}
