//! The instrument of runners.

use std::{fmt, sync::Arc};

use cot_runtime::{RunFacts, RunInstrument, RunSpan};
use cot_store::{RunFilter, StatusKind, Store, StoreError};
use opentelemetry::{
    metrics::MeterProvider,
    trace::{Span, Tracer, TracerProvider},
};

use crate::{
    content::{ContentLimit, DEFAULT_LIMIT},
    recorder::{Recorder, guarded},
    spans::run::RunSpanOfOtel,
};

/// Records runs as spans and metrics of OpenTelemetry, by its conventions for generative AI.
///
/// One serves any number of runners; cloning it is cheap. The span of a run is a child of the program's active span,
/// or of the [context of the caller](cot_runtime::Runner::trace_context), and has those of its tasks and calls below
/// it. While a call is polled, its context is the current one, so that spans of the program nest and clients send it
/// to their servers. Runs continue unchanged if nothing takes what is recorded.
///
/// ```
/// use cot_core::{model::ScriptedModel, otel::Telemetry, prelude::*};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
/// struct Greeting { text: String }
///
/// cot_process! {
///     process Greeter {
///         state: Greeting,
///         task greet -> Greeting { prompt: "Greet the world.", update: { text = output.text }, next: done }
///         task done { end }
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let model = ScriptedModel::new([json!({ "text": "Hello" })]);
/// let runner = Greeter::runner().model(model).instrument(Telemetry::new());
/// let report = runner.run(Greeting::default()).await?;
/// # assert_eq!(report.state.text, "Hello");
/// # Ok::<_, RunError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Telemetry {
    recorder: Recorder,
}

impl Telemetry {
    /// Creates an instrument that uses the global providers, as they are at this time.
    #[must_use]
    pub fn new() -> Self {
        Self { recorder: Recorder::global() }
    }

    /// Sets where spans go.
    #[must_use]
    pub fn tracer_provider<P>(mut self, provider: &P) -> Self
    where
        P: TracerProvider<
            Tracer: Tracer<Span: Span + Send + Sync + 'static> + Send + Sync + 'static,
        >,
    {
        self.recorder.set_tracer_provider(provider);
        self
    }

    /// Sets where metrics go.
    #[must_use]
    pub fn meter_provider(mut self, provider: &dyn MeterProvider) -> Self {
        self.recorder.set_meter_provider(provider);
        self
    }

    /// Records content too: prompts, replies, arguments and results of tools, and the words of errors. By default none
    /// of it is recorded, since it can be confidential. A [`Secret`](cot_engine::Secret) is never part of it.
    #[must_use]
    pub fn with_content(self) -> Self {
        self.content_limit(DEFAULT_LIMIT)
    }

    /// Records content of at most so many bytes of text in an attribute. Default of
    /// [`with_content`](Self::with_content): 64 KiB.
    #[must_use]
    pub fn content_limit(mut self, bytes: usize) -> Self {
        self.recorder.content = Some(ContentLimit(bytes));
        self
    }

    /// Records how many runs a store has in each status: a program that has workers, or wants to know how many
    /// questions wait for people, calls it every so often.
    ///
    /// ```
    /// use cot_core::{otel::Telemetry, store::{MemoryStore, StoreError}};
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let store = MemoryStore::default();
    /// Telemetry::new().record_store(&store).await?;
    /// # Ok::<_, StoreError>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub async fn record_store(&self, store: &dyn Store) -> Result<(), StoreError> {
        for kind in StatusKind::ALL {
            let mut filter = RunFilter::default();
            filter.status = vec![kind];
            let runs = store.count(&filter).await?;
            guarded(|| self.recorder.metrics.record_stored_runs(kind.word(), runs));
        }
        Ok(())
    }
}

impl Default for Telemetry {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Telemetry").field("content", &self.recorder.content).finish_non_exhaustive()
    }
}

impl RunInstrument for Telemetry {
    fn start_run(&self, run: &RunFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        guarded(|| Arc::new(RunSpanOfOtel::start(&self.recorder, run)) as Arc<dyn RunSpan>)
    }
}
