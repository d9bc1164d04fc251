//! What spans are recorded with.

use std::{panic::AssertUnwindSafe, sync::Arc};

use opentelemetry::{
    Context, InstrumentationScope,
    global::{self, BoxedTracer},
    metrics::MeterProvider,
    trace::{Span, SpanBuilder, TraceContextExt as _, Tracer, TracerProvider},
};

use crate::{content::ContentLimit, metrics::Metrics, names::SCHEMA_URL};

/// Where spans and metrics go, and how much content they have. Cloning it is cheap.
#[derive(Clone)]
pub(crate) struct Recorder {
    tracer: Arc<BoxedTracer>,
    pub(crate) metrics: Metrics,
    pub(crate) content: Option<ContentLimit>,
}

impl Recorder {
    /// Uses the global providers, as they are at this time.
    pub(crate) fn global() -> Self {
        Self {
            tracer: Arc::new(global::tracer_with_scope(scope())),
            metrics: Metrics::global(scope()),
            content: None,
        }
    }

    pub(crate) fn set_tracer_provider<P>(&mut self, provider: &P)
    where
        P: TracerProvider<
            Tracer: Tracer<Span: Span + Send + Sync + 'static> + Send + Sync + 'static,
        >,
    {
        let tracer = BoxedTracer::new(Box::new(provider.tracer_with_scope(scope())));
        self.tracer = Arc::new(tracer);
    }

    pub(crate) fn set_meter_provider(&mut self, provider: &dyn MeterProvider) {
        self.metrics = Metrics::from_provider(provider, scope());
    }

    /// Starts a span; returns the context that contains it.
    pub(crate) fn start(&self, span: SpanBuilder, parent: &Context) -> Context {
        guarded(|| parent.with_span(self.tracer.build_with_context(span, parent)))
            .unwrap_or_else(|| parent.clone())
    }
}

/// Calls code of a provider. A panic in it ends what is recorded, not the run.
pub(crate) fn guarded<T>(call: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(call)).ok()
}

fn scope() -> InstrumentationScope {
    InstrumentationScope::builder("cot-otel")
        .with_version(env!("CARGO_PKG_VERSION"))
        .with_schema_url(SCHEMA_URL)
        .build()
}
