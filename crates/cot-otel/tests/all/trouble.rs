//! Exporters that fail, hang or panic.

use std::time::{Duration, Instant};

use cot_core::otel::Telemetry;
use opentelemetry::Context;
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{SdkTracerProvider, Span, SpanData, SpanProcessor},
};
use serde_json::json;

use crate::{
    model::TestModel,
    processes::{Greeter, Note},
    receiver::Backend,
};

async fn run_with(telemetry: Telemetry) -> Duration {
    let model = TestModel::new(|_| Ok(json!({ "text": "Hello" }).into()));
    let runner = Greeter::runner().model(model).instrument(telemetry);
    let started = Instant::now();
    for _ in 0..20 {
        assert_eq!(runner.run(Note::default()).await.unwrap().state.text, "Hello");
    }
    started.elapsed()
}

/// Far longer than twenty runs of 5 ms take on any machine, and shorter than twenty exports that time out.
const AT_MOST: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_down_does_not_matter() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let backend = Backend::exporting_to(&url);
    assert!(run_with(backend.telemetry()).await < AT_MOST);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_never_answers_does_not_matter() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let backend = Backend::exporting_to(&format!("http://{}", listener.local_addr().unwrap()));
    assert!(run_with(backend.telemetry()).await < AT_MOST);
}

/// A processor with a mistake, at the start or at the end of a span.
#[derive(Debug)]
struct Panics {
    at_start: bool,
}

impl SpanProcessor for Panics {
    fn on_start(&self, _: &mut Span, _: &Context) {
        assert!(!self.at_start, "a mistake in a processor");
    }

    fn on_end(&self, _: SpanData) {
        assert!(self.at_start, "a mistake in a processor");
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_processor_that_panics_does_not_matter() {
    for at_start in [true, false] {
        let panics = Panics { at_start };
        let tracers = SdkTracerProvider::builder().with_span_processor(panics).build();
        run_with(Telemetry::new().tracer_provider(&tracers)).await;
    }
}
