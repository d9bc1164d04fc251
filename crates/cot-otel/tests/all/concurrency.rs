//! Many runs at once.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    model::TestModel,
    processes::{Greeter, Note},
};
use cot_core::otel::Telemetry;
use opentelemetry_sdk::{
    metrics::{InMemoryMetricExporter, PeriodicReader, SdkMeterProvider},
    trace::{InMemorySpanExporter, SdkTracerProvider},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_runs_have_a_trace_each() {
    let exporter = InMemorySpanExporter::default();
    let tracers = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let telemetry = Telemetry::new().tracer_provider(&tracers);
    let model = TestModel::new(|_| Ok(json!({ "text": "Hello" }).into()));
    let runner = Greeter::runner().model(model).instrument(telemetry);
    let runs: Vec<_> = (0..1000).map(|_| tokio::spawn(runner.run(Note::default()))).collect();
    for run in runs {
        run.await.unwrap().unwrap();
    }
    let mut traces: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for span in exporter.get_finished_spans().unwrap() {
        traces.entry(span.span_context.trace_id().to_string()).or_default().push(span);
    }
    assert_eq!(traces.len(), 1000);
    for spans in traces.values() {
        let mut names: Vec<_> = spans.iter().map(|span| &*span.name).collect();
        names.sort_unstable();
        assert_eq!(names, ["chat gpt-test", "invoke_workflow Greeter", "task greet"]);
        let find = |name: &str| spans.iter().find(|span| span.name == name).unwrap();
        let (call, task) = (find("chat gpt-test"), find("task greet"));
        assert_eq!(call.parent_span_id, task.span_context.span_id());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_runs_leave_nothing_behind() {
    let (spans, metrics) = (InMemorySpanExporter::default(), InMemoryMetricExporter::default());
    let tracers = SdkTracerProvider::builder().with_simple_exporter(spans.clone()).build();
    let meters =
        SdkMeterProvider::builder().with_reader(PeriodicReader::builder(metrics).build()).build();
    let telemetry = Telemetry::new().tracer_provider(&tracers).meter_provider(&meters);
    let model = TestModel::new(|_| Ok(json!({ "text": "Hello" }).into()))
        .delay(std::time::Duration::from_secs(60));
    let model = std::sync::Arc::new(model);
    let weak = std::sync::Arc::downgrade(&model);
    let runner = Greeter::runner().model(model).instrument(telemetry.clone());
    let runs: Vec<_> = (0..100).map(|_| tokio::spawn(runner.run(Note::default()))).collect();
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    for run in &runs {
        run.abort();
    }
    for run in runs {
        assert!(run.await.unwrap_err().is_cancelled());
    }
    // A run, a task and a call each.
    assert_eq!(spans.get_finished_spans().unwrap().len(), 300);
    drop(runner);
    assert!(weak.upgrade().is_none(), "the instrument keeps a run");
}
