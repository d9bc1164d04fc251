//! Measures what telemetry adds to a step of the engine, with a model without delay: without an instrument, with one
//! and no SDK, and with one whose spans go to memory.
//!
//! `cargo bench -p cot-workloads --features otel --bench overhead`; with `-- --check`, a short form that fails if it adds too much.
#![expect(clippy::print_stdout, reason = "a benchmark measures and prints")]

use std::{
    env,
    time::{Duration, Instant},
};

use cot_core::{RunFuture, model::ScriptedModel, otel::Telemetry, prelude::*};
use criterion::{Criterion, Throughput};
use opentelemetry_sdk::{
    metrics::{InMemoryMetricExporter, PeriodicReader, SdkMeterProvider},
    trace::{InMemorySpanExporter, SdkTracerProvider},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The number of model calls of a run.
const CALLS: u32 = 100;
/// How much longer a step may take with spans in memory: four spans and their metrics, each with a boxed copy.
const MAX_ADDED: Duration = Duration::from_micros(60);

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Counter {
    count: u32,
}

cot_process! {
    process Count {
        state: Counter,
        max_steps: 1000,

        task add -> Counter {
            prompt: "Add one to ${state.count}.",
            no_history,
            update: { count = output.count },
            next: { done if state.count >= CALLS, add },
        }

        task done { end }
    }
}

fn runner() -> Runner<Count> {
    let next = std::sync::atomic::AtomicU32::new(0);
    Count::runner().model(ScriptedModel::from_fn(move |_| {
        let count = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % CALLS + 1;
        json!({ "count": count })
    }))
}

fn main() {
    let exporter = InMemorySpanExporter::default();
    let tracers = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let reader = PeriodicReader::builder(InMemoryMetricExporter::default());
    let reader = reader.with_interval(Duration::from_secs(3600)).build();
    let meters = SdkMeterProvider::builder().with_reader(reader).build();
    let recorded = Telemetry::new().tracer_provider(&tracers).meter_provider(&meters);
    let runners = [
        ("none", runner()),
        ("no_sdk", runner().instrument(Telemetry::new())),
        ("in_memory", runner().instrument(recorded)),
    ];
    let run = |runner: &Runner<Count>| {
        let report = block_on(runner.run(Counter::default()));
        assert_eq!(report.state.count, CALLS);
        exporter.reset();
    };
    let is_given = |option: &str| env::args().any(|argument| argument == option);
    if !is_given("--check") {
        let mut criterion = Criterion::default().configure_from_args();
        let mut group = criterion.benchmark_group("overhead");
        group.throughput(Throughput::Elements(u64::from(CALLS)));
        for (name, runner) in &runners {
            group.bench_function(*name, |bencher| bencher.iter(|| run(runner)));
        }
        group.finish();
        criterion.final_summary();
    }
    if is_given("--check") || is_given("--bench") {
        let [none, no_sdk, in_memory] =
            runners.each_ref().map(|(_, runner)| fastest(|| run(runner)));
        println!(
            "a step without telemetry {none:?}, without SDK {no_sdk:?}, in memory {in_memory:?}"
        );
        assert!(in_memory.saturating_sub(none) < MAX_ADDED, "telemetry adds too much to a step");
    }
}

/// Runs a future that never waits.
fn block_on(run: RunFuture<Count>) -> RunReport<Count> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap_or_else(|_| unreachable!()).block_on(run).unwrap_or_else(|_| unreachable!())
}

/// The time of a step in the fastest of many runs.
fn fastest(mut run: impl FnMut()) -> Duration {
    let times = (0..60).map(|_| {
        let started = Instant::now();
        run();
        started.elapsed()
    });
    times.min().unwrap_or_default() / CALLS
}
