//! A span with what its children need.

use std::sync::Arc;

use cot_model::TraceContext;
use opentelemetry::{
    Context, KeyValue, StringValue, Value,
    trace::{Link, SpanBuilder, SpanContext, SpanKind, Status, TraceContextExt as _},
};

use crate::{
    names::{cot, gen_ai},
    propagation::from_otel,
    recorder::{Recorder, guarded},
};

/// A span, and the run that it belongs to. Cloning it is cheap.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) recorder: Recorder,
    pub(super) run: Arc<RunNames>,
    /// The context that contains the span.
    context: Context,
}

/// The names of a run.
pub(super) struct RunNames {
    pub(super) id: StringValue,
    pub(super) process: &'static str,
}

/// A span that is about to start.
pub(super) struct NewSpan {
    builder: SpanBuilder,
    attributes: Vec<KeyValue>,
}

impl NewSpan {
    pub(super) fn new(name: String, kind: SpanKind) -> Self {
        Self { builder: SpanBuilder::from_name(name).with_kind(kind), attributes: Vec::new() }
    }

    /// Creates the span of a process, which the conventions call a workflow.
    pub(super) fn workflow(process: &str) -> Self {
        Self::new(format!("invoke_workflow {process}"), SpanKind::Internal)
            .with(gen_ai::OPERATION, "invoke_workflow")
            .with(gen_ai::WORKFLOW, process.to_owned())
    }

    pub(super) fn with(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.with_attribute(KeyValue::new(name, value))
    }

    pub(super) fn with_attribute(mut self, attribute: KeyValue) -> Self {
        self.attributes.push(attribute);
        self
    }

    pub(super) fn with_some(self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(super) fn link_to(mut self, span: SpanContext) -> Self {
        self.builder.links.get_or_insert_default().push(Link::with_context(span));
        self
    }

    pub(super) fn start(self, recorder: &Recorder, run: &Arc<RunNames>, parent: &Context) -> Node {
        let span = self.with(cot::RUN, run.id.clone());
        let context = recorder.start(span.builder.with_attributes(span.attributes), parent);
        Node { recorder: recorder.clone(), run: Arc::clone(run), context }
    }
}

impl Node {
    /// Starts a span below this one.
    pub(super) fn start_child(&self, span: NewSpan) -> Self {
        span.start(&self.recorder, &self.run, &self.context)
    }

    /// Returns whether anything takes what is recorded of the span.
    pub(super) fn is_recording(&self) -> bool {
        self.context.span().is_recording()
    }

    /// Calls `poll` once, with the context of the span as the current one.
    pub(super) fn enter(&self, poll: &mut dyn FnMut()) {
        let _guard = self.context.clone().attach();
        poll();
    }

    pub(super) fn trace_context(&self) -> Option<TraceContext> {
        from_otel(self.context.span().span_context())
    }

    pub(super) fn set(&self, name: &'static str, value: impl Into<Value>) {
        guarded(|| self.context.span().set_attribute(KeyValue::new(name, value)));
    }

    pub(super) fn set_some(&self, name: &'static str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.set(name, value);
        }
    }

    pub(super) fn add_event(&self, name: &'static str, attributes: Vec<KeyValue>) {
        guarded(|| self.context.span().add_event(name, attributes));
    }

    /// Marks the span as failed. The words are content, so that they are recorded only with it.
    pub(super) fn set_error(&self, error_type: impl Into<Value>, words: &str) {
        self.set(gen_ai::ERROR_TYPE, error_type);
        let words = self.recorder.content.map(|limit| limit.text(words));
        guarded(|| self.context.span().set_status(Status::error(words.unwrap_or_default())));
    }

    /// Ends the span.
    pub(super) fn end(&self) {
        guarded(|| self.context.span().end());
    }
}

/// Returns a number as attributes have it.
pub(super) fn number(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
