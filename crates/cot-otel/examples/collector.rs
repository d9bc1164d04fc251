//! Exports runs over OTLP, to a collector or to any service that takes it.
//!
//! `cargo run -p cot-otel --example collector` sends to `http://localhost:4317`, or to the address in the
//! environment variable `OTEL_EXPORTER_OTLP_ENDPOINT`. Without a server the run is the same.
#![expect(clippy::print_stdout, reason = "an example prints")]

use cot_core::{Usage, model::ModelReply, model::ScriptedModel, otel::Telemetry, prelude::*};
use opentelemetry::global;
use opentelemetry_otlp::{MetricExporter, SpanExporter};
use opentelemetry_sdk::{Resource, metrics::SdkMeterProvider, trace::SdkTracerProvider};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Letter {
    text: String,
}

cot_process! {
    process Writer {
        state: Letter,

        task write -> Letter {
            prompt: "Write a letter.",
            update: { text = output.text },
            next: proofread,
        }

        task proofread -> Letter {
            prompt: "Correct the letter:\n${state.text}",
            update: { text = output.text },
            next: sent,
        }

        task sent { end }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let resource = Resource::builder().with_service_name("letters").build();
    let spans = SpanExporter::builder().with_tonic().build()?;
    let tracers = SdkTracerProvider::builder()
        .with_batch_exporter(spans)
        .with_resource(resource.clone())
        .build();
    global::set_tracer_provider(tracers.clone());
    let metrics = MetricExporter::builder().with_tonic().build()?;
    let meters =
        SdkMeterProvider::builder().with_periodic_exporter(metrics).with_resource(resource).build();
    global::set_meter_provider(meters.clone());

    let runner = Writer::runner().model(model()).instrument(Telemetry::new());
    let report = runner.run(Letter::default()).await?;
    println!("{}: {}", report.run_id, report.state.text);

    // What is still to be exported is lost otherwise.
    let stopped = tokio::task::spawn_blocking(move || (tracers.shutdown(), meters.shutdown()));
    let (of_spans, of_metrics) = stopped.await?;
    for error in [of_spans, of_metrics].into_iter().filter_map(Result::err) {
        println!("not everything was exported: {error}");
    }
    Ok(())
}

/// A model that needs no server.
fn model() -> ScriptedModel {
    let usage = Usage::for_call(900, 60).cached(700, 0);
    let replies = ["Deer all", "Dear all"];
    ScriptedModel::new(replies.map(|text| ModelReply::from(json!({ "text": text })).usage(usage)))
}
