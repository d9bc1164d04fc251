//! The instruments of metrics.

use std::time::Duration;

use cot_model::Usage;
use opentelemetry::{
    InstrumentationScope, KeyValue, global,
    metrics::{Counter, Gauge, Histogram, Meter, MeterProvider, UpDownCounter},
};

use crate::names::{cot, gen_ai, metric};

/// The boundaries of histograms, which the conventions recommend.
const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
const SECONDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST_CHUNK: [f64; 16] =
    [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];
/// Runs may wait for people.
const RUN_SECONDS: [f64; 14] =
    [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0, 21600.0, 86400.0];

/// The instruments of metrics. Cloning them is cheap.
#[derive(Debug, Clone)]
pub(crate) struct Metrics {
    tokens: Histogram<u64>,
    duration: Histogram<f64>,
    first_chunk: Histogram<f64>,
    cost: Counter<f64>,
    tool_duration: Histogram<f64>,
    run_duration: Histogram<f64>,
    active_runs: UpDownCounter<i64>,
    retries: Counter<u64>,
    repairs: Counter<u64>,
    waiting_people: UpDownCounter<i64>,
    stored_runs: Gauge<u64>,
}

impl Metrics {
    pub(crate) fn global(scope: InstrumentationScope) -> Self {
        Self::new(&global::meter_with_scope(scope))
    }

    pub(crate) fn from_provider(provider: &dyn MeterProvider, scope: InstrumentationScope) -> Self {
        Self::new(&provider.meter_with_scope(scope))
    }

    fn new(meter: &Meter) -> Self {
        let seconds = |name, description, boundaries: &[f64]| {
            let histogram = meter.f64_histogram(name).with_unit("s").with_description(description);
            histogram.with_boundaries(boundaries.to_vec()).build()
        };
        let tokens = meter.u64_histogram(metric::TOKENS).with_unit("{token}");
        let up_down = |name, unit: &'static str, description| {
            meter.i64_up_down_counter(name).with_unit(unit).with_description(description).build()
        };
        let count = |name, unit: &'static str, description| {
            meter.u64_counter(name).with_unit(unit).with_description(description).build()
        };
        let cost = meter.f64_counter(metric::COST).with_description("Cost of calls with prices.");
        let stored = meter.u64_gauge(metric::STORED_RUNS).with_unit("{run}");
        Self {
            tokens: tokens
                .with_description("Number of input and output tokens used.")
                .with_boundaries(TOKENS.to_vec())
                .build(),
            duration: seconds(metric::DURATION, "Duration of a call of a model.", &SECONDS),
            first_chunk: seconds(metric::FIRST_CHUNK, "Time to the first chunk.", &FIRST_CHUNK),
            cost: cost.build(),
            tool_duration: seconds(metric::TOOL_DURATION, "Duration of a tool call.", &SECONDS),
            run_duration: seconds(metric::RUN_DURATION, "Time that a run is driven.", &RUN_SECONDS),
            active_runs: up_down(metric::ACTIVE_RUNS, "{run}", "Runs that this program drives."),
            retries: count(metric::RETRIES, "{attempt}", "Failed attempts that are retried."),
            repairs: count(metric::REPAIRS, "{repair}", "Repairs of replies."),
            waiting_people: up_down(
                metric::WAITING_PEOPLE,
                "{question}",
                "Open questions of the runs that this program drives.",
            ),
            stored_runs: stored.with_description("Runs in the store, by status.").build(),
        }
    }

    /// Records a call of a model. `attributes` are those of the conventions.
    pub(crate) fn record_call(&self, attributes: &[KeyValue], elapsed: Duration) {
        self.duration.record(elapsed.as_secs_f64(), attributes);
    }

    /// Records the tokens and the cost of a call.
    pub(crate) fn record_usage(&self, attributes: &mut Vec<KeyValue>, usage: &Usage) {
        if usage.cost > 0.0 {
            self.cost.add(usage.cost, attributes);
        }
        if usage.total_tokens() == 0 {
            // The engine did not report them.
            return;
        }
        for (kind, tokens) in [("input", usage.input_tokens), ("output", usage.output_tokens)] {
            attributes.push(KeyValue::new(gen_ai::TOKEN_TYPE, kind));
            self.tokens.record(tokens, attributes);
            attributes.pop();
        }
    }

    pub(crate) fn record_first_chunk(&self, attributes: &[KeyValue], elapsed: Duration) {
        self.first_chunk.record(elapsed.as_secs_f64(), attributes);
    }

    pub(crate) fn record_tool(&self, attributes: &[KeyValue], elapsed: Duration) {
        self.tool_duration.record(elapsed.as_secs_f64(), attributes);
    }

    pub(crate) fn run_started(&self, process: &'static str) {
        self.active_runs.add(1, &[KeyValue::new(cot::PROCESS, process)]);
    }

    pub(crate) fn run_ended(&self, process: &'static str, attributes: &[KeyValue], time: Duration) {
        self.active_runs.add(-1, &[KeyValue::new(cot::PROCESS, process)]);
        self.run_duration.record(time.as_secs_f64(), attributes);
    }

    pub(crate) fn retried(&self, attributes: &[KeyValue]) {
        self.retries.add(1, attributes);
    }

    pub(crate) fn repaired(&self, attributes: &[KeyValue], repairs: usize) {
        self.repairs.add(repairs as u64, attributes);
    }

    pub(crate) fn change_waiting_people(&self, change: i64, attributes: &[KeyValue]) {
        self.waiting_people.add(change, attributes);
    }

    pub(crate) fn record_stored_runs(&self, status: &'static str, runs: u64) {
        self.stored_runs.record(runs, &[KeyValue::new(cot::STATUS, status)]);
    }
}
