//! The names that are emitted, beside the registry of the conventions.
#![expect(deprecated, reason = "the registry has moved, its names are the same")]

use std::collections::BTreeSet;

use cot_core::otel::names;
use opentelemetry_proto::tonic::{metrics::v1::metric::Data, trace::v1::span::SpanKind};
use opentelemetry_semantic_conventions::{attribute, metric};
use serde_json::{Value, json};

use crate::{
    decoded::{Metrics, Spans, attributes},
    model::TestModel,
    processes::{Fragile, Greeter, Note, Survey, Trip, Trouble},
    receiver::Backend,
};

const REGISTRY: &str = include_str!("../../registry/gen-ai-1.41.0.json");

fn registry() -> Value {
    serde_json::from_str(REGISTRY).unwrap()
}

/// What runs with calls of all kinds, retries, repairs and errors emit.
async fn emitted() -> (Spans, Metrics) {
    let backend = Backend::grpc().await;
    let telemetry = backend.telemetry().with_content();
    let reply = cot_core::model::ModelReply::from("Sure: {text: \"a\",}");
    let usage = cot_core::Usage::for_call(100, 10).cached(50, 20).reasoning(3).cost(1.0);
    let reply = reply.usage(usage).id("1").model("m");
    let model = TestModel::replies([cot_core::model::ModelReply::new("no idea"), reply]);
    let runner = Greeter::runner().model(model).instrument(telemetry.clone());
    runner.token_deltas(true).observe(|_, _| {}).run(Note::default()).await.unwrap();
    let model = TestModel::new(|request| {
        let wants_price = request.prompt().contains("Report.") && request.rounds.is_empty();
        Ok(if wants_price {
            let arguments = json!({ "name": "kettle" });
            let call = cot_core::model::ToolCall::new("price", arguments).with_id("1");
            cot_core::model::ModelReply::calling([call])
        } else {
            json!({ "text": "seen" }).into()
        })
    });
    let trip = Trip { names: vec!["Oslo".into()], ..Trip::default() };
    Survey::runner().model(model).instrument(telemetry.clone()).run(trip).await.unwrap();
    let fragile = Fragile::runner(Trouble::Error).instrument(telemetry);
    fragile.report(Note::default()).await.unwrap();
    (backend.spans().await, backend.metrics().await)
}

fn is_of_conventions(name: &str) -> bool {
    !name.starts_with("cot.")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spans_are_those_of_the_registry() {
    let (registry, (spans, _)) = (registry(), emitted().await);
    let mut operations = BTreeSet::new();
    for span in &spans.0 {
        let given = attributes(&span.attributes);
        for name in given.keys().filter(|name| is_of_conventions(name)) {
            assert!(registry["attributes"][name].is_object(), "{name} of {}", span.name);
            assert_eq!(registry["attributes"][name].get("replaced_by"), None, "{name}");
        }
        let Some(operation) = given.get("gen_ai.operation.name").and_then(Value::as_str) else {
            // Tasks and functions are no operations of generative AI.
            assert!(given.keys().all(|name| !name.starts_with("gen_ai.")), "{}", span.name);
            continue;
        };
        operations.insert(operation.to_owned());
        let known = registry["values"]["gen_ai.operation.name"].as_array().unwrap();
        assert!(known.contains(&json!(operation)));
        let defined = &registry["spans"][operation];
        let levels = defined["attributes"].as_object().unwrap();
        for name in given.keys().filter(|name| is_of_conventions(name)) {
            assert!(levels.contains_key(name), "{name} is no attribute of {operation}");
        }
        for (name, level) in levels {
            assert!(level != "required" || given.contains_key(name), "{operation} has no {name}");
        }
        let kind = if defined["kind"] == "client" { SpanKind::Client } else { SpanKind::Internal };
        assert_eq!(span.kind, kind as i32);
        let template = defined["name"].as_str().unwrap();
        let (_, place) = template.split_once('{').unwrap();
        let named = given[place.trim_end_matches('}')].as_str().unwrap();
        assert_eq!(span.name, format!("{operation} {named}"));
    }
    assert_eq!(operations, ["chat", "execute_tool", "invoke_workflow"].map(str::to_owned).into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_are_those_of_the_registry() {
    let (registry, (_, metrics)) = (registry(), emitted().await);
    let mut compared = 0;
    for metric in metrics.0.iter().filter(|metric| is_of_conventions(&metric.name)) {
        let defined = &registry["metrics"][&metric.name];
        assert_eq!(defined["unit"], *metric.unit, "{}", metric.name);
        let Some(Data::Histogram(histogram)) = &metric.data else { panic!("{}", metric.name) };
        assert_eq!(defined["instrument"], "histogram");
        for point in &histogram.data_points {
            let bounds: Vec<f64> = defined["boundaries"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_f64)
                .collect();
            assert_eq!(point.explicit_bounds, bounds, "{}", metric.name);
            let given = attributes(&point.attributes);
            for (name, level) in defined["attributes"].as_object().unwrap() {
                assert!(level != "required" || given.contains_key(name), "{name}");
            }
            for name in given.keys().filter(|name| is_of_conventions(name)) {
                assert!(registry["attributes"][name].is_object(), "{name} of {}", metric.name);
            }
        }
        compared += 1;
    }
    assert_eq!(compared, 3);
}

/// Every constant of the conventions, beside that of the published crate.
#[test]
fn names_are_those_of_the_published_registry() {
    use names::gen_ai::*;
    let attributes = [
        (OPERATION, attribute::GEN_AI_OPERATION_NAME),
        (PROVIDER, attribute::GEN_AI_PROVIDER_NAME),
        (WORKFLOW, attribute::GEN_AI_WORKFLOW_NAME),
        (REQUEST_MODEL, attribute::GEN_AI_REQUEST_MODEL),
        (TEMPERATURE, attribute::GEN_AI_REQUEST_TEMPERATURE),
        (TOP_P, attribute::GEN_AI_REQUEST_TOP_P),
        (MAX_TOKENS, attribute::GEN_AI_REQUEST_MAX_TOKENS),
        (STOP, attribute::GEN_AI_REQUEST_STOP_SEQUENCES),
        (SEED, attribute::GEN_AI_REQUEST_SEED),
        (STREAM, attribute::GEN_AI_REQUEST_STREAM),
        (OUTPUT_TYPE, attribute::GEN_AI_OUTPUT_TYPE),
        (RESPONSE_MODEL, attribute::GEN_AI_RESPONSE_MODEL),
        (RESPONSE_ID, attribute::GEN_AI_RESPONSE_ID),
        (FINISH_REASONS, attribute::GEN_AI_RESPONSE_FINISH_REASONS),
        (TIME_TO_FIRST_CHUNK, attribute::GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK),
        (INPUT_TOKENS, attribute::GEN_AI_USAGE_INPUT_TOKENS),
        (OUTPUT_TOKENS, attribute::GEN_AI_USAGE_OUTPUT_TOKENS),
        (CACHE_READ_TOKENS, attribute::GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS),
        (CACHE_CREATION_TOKENS, attribute::GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS),
        (REASONING_TOKENS, attribute::GEN_AI_USAGE_REASONING_OUTPUT_TOKENS),
        (TOKEN_TYPE, attribute::GEN_AI_TOKEN_TYPE),
        (TOOL_NAME, attribute::GEN_AI_TOOL_NAME),
        (TOOL_TYPE, attribute::GEN_AI_TOOL_TYPE),
        (TOOL_CALL_ID, attribute::GEN_AI_TOOL_CALL_ID),
        (TOOL_ARGUMENTS, attribute::GEN_AI_TOOL_CALL_ARGUMENTS),
        (TOOL_RESULT, attribute::GEN_AI_TOOL_CALL_RESULT),
        (SYSTEM_INSTRUCTIONS, attribute::GEN_AI_SYSTEM_INSTRUCTIONS),
        (INPUT_MESSAGES, attribute::GEN_AI_INPUT_MESSAGES),
        (OUTPUT_MESSAGES, attribute::GEN_AI_OUTPUT_MESSAGES),
        (ERROR_TYPE, attribute::ERROR_TYPE),
        (SERVER_ADDRESS, attribute::SERVER_ADDRESS),
        (SERVER_PORT, attribute::SERVER_PORT),
    ];
    let registry = registry();
    for (ours, published) in attributes {
        assert_eq!(ours, published);
        assert!(registry["attributes"][ours].is_object(), "{ours}");
    }
    let metrics = [
        (names::metric::TOKENS, metric::GEN_AI_CLIENT_TOKEN_USAGE),
        (names::metric::DURATION, metric::GEN_AI_CLIENT_OPERATION_DURATION),
        (names::metric::FIRST_CHUNK, metric::GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK),
    ];
    for (ours, published) in metrics {
        assert_eq!(ours, published);
        assert!(registry["metrics"][ours].is_object(), "{ours}");
    }
    assert_eq!(registry["version"], names::VERSION);
    assert_eq!(registry["schema_url"], names::SCHEMA_URL);
}
