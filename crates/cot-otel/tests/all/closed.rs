//! Every span that is opened is closed, wherever a run is dropped.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use cot_core::{otel::Telemetry, store::MemoryStore};
use opentelemetry::{
    Context,
    trace::{Span as _, SpanId},
};
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{SdkTracerProvider, Span, SpanData, SpanProcessor},
};
use serde_json::json;
use tokio::time::timeout;

use crate::{
    model::TestModel,
    processes::{Survey, Trip},
};

/// The spans that are open, and the number of those that were closed.
#[derive(Debug, Clone, Default)]
struct Spans(Arc<Mutex<(HashMap<SpanId, String>, usize)>>);

impl SpanProcessor for Spans {
    fn on_start(&self, span: &mut Span, _: &Context) {
        let name = span.exported_data().map(|data| data.name.to_string());
        let id = span.span_context().span_id();
        self.0.lock().unwrap().0.insert(id, name.unwrap_or_default());
    }

    fn on_end(&self, span: SpanData) {
        let mut spans = self.0.lock().unwrap();
        let opened = spans.0.remove(&span.span_context.span_id());
        assert!(opened.is_some(), "{} is closed twice", span.name);
        spans.1 += 1;
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Drives a run for so many milliseconds, and drops it. Every third reply is rejected. Returns whether the run has
/// ended before.
async fn run_for(limit: u64, is_stored: bool, telemetry: Telemetry) -> bool {
    let calls = AtomicU32::new(0);
    let model = TestModel::new(move |_| match calls.fetch_add(1, Ordering::Relaxed) % 3 {
        2 => Ok(json!({ "txt": 3 }).into()),
        _ => Ok(json!({ "text": "Hello" }).into()),
    });
    let model = model.delay(Duration::from_millis(7));
    let mut runner = Survey::runner().model(model).instrument(telemetry);
    if is_stored {
        runner = runner.store(MemoryStore::default());
    }
    let names = vec!["kettle".to_owned(), "pan".to_owned(), "pot".to_owned()];
    let trip = Trip { names, ..Trip::default() };
    timeout(Duration::from_millis(limit), runner.run(trip)).await.is_ok()
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_dropped_at_any_time_leaves_no_span_open() {
    let (mut ended, mut most) = (0, 0);
    for limit in 0..200 {
        for is_stored in [false, true] {
            let spans = Spans::default();
            let tracers = SdkTracerProvider::builder().with_span_processor(spans.clone()).build();
            let telemetry = Telemetry::new().tracer_provider(&tracers);
            ended += u32::from(run_for(limit, is_stored, telemetry).await);
            let (open, closed) = &*spans.0.lock().unwrap();
            assert!(open.is_empty(), "after {limit} ms, stored: {is_stored}: {open:?}");
            most = most.max(*closed);
        }
    }
    // Some were dropped, some have ended, and the longest had spans of every kind.
    assert!((1..400).contains(&ended), "{ended}");
    assert!(most > 20, "{most}");
}
