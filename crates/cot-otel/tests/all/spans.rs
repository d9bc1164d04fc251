//! The spans of runs: names, kinds, parents and attributes.

use cot_core::{
    Usage,
    model::{ModelReply, ToolCall},
};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use serde_json::{Value, json};

use crate::{
    decoded::SpanExt as _,
    model::TestModel,
    processes::{Greeter, Note, Survey, Trip},
    receiver::Backend,
};

fn greeting() -> ModelReply {
    let usage = Usage::for_call(1200, 80).cached(1000, 100).reasoning(30).cost(0.25);
    ModelReply::from(json!({ "text": "Hello" })).usage(usage).id("chat-1").model("gpt-test-0613")
}

async fn check_call_over(backend: Backend) {
    let model = TestModel::replies([greeting()]);
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    let report = runner.run(Note::default()).await.unwrap();
    let spans = backend.spans().await;
    assert_eq!(spans.tree(), "invoke_workflow Greeter\n  task greet\n    chat gpt-test\n");
    let run = spans.only("invoke_workflow Greeter");
    assert!(run.is_of_kind(SpanKind::Internal) && !run.has_failed());
    assert_eq!(run.get("gen_ai.operation.name"), "invoke_workflow");
    assert_eq!(run.get("gen_ai.workflow.name"), "Greeter");
    assert_eq!(run.get("cot.run.id"), report.run_id.as_str());
    assert_eq!(run.get("cot.run.ending"), "end");
    assert_eq!((run.get("cot.usage.calls"), run.get("cot.usage.cost")), (json!(1), json!(0.25)));
    let call = spans.only("chat gpt-test");
    assert!(call.is_of_kind(SpanKind::Client) && !call.has_failed());
    let expected = json!({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-test",
        "gen_ai.request.temperature": 0.2,
        "gen_ai.request.top_p": 0.9,
        "gen_ai.request.max_tokens": 100,
        "gen_ai.request.seed": 7,
        "gen_ai.request.stop_sequences": ["END"],
        "gen_ai.output.type": "json",
        "gen_ai.response.model": "gpt-test-0613",
        "gen_ai.response.id": "chat-1",
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 1200,
        "gen_ai.usage.output_tokens": 80,
        "gen_ai.usage.cache_read.input_tokens": 1000,
        "gen_ai.usage.cache_creation.input_tokens": 100,
        "gen_ai.usage.reasoning.output_tokens": 30,
        "server.address": "models.test",
        "server.port": 8443,
        "cot.usage.cost": 0.25,
        "cot.run.id": report.run_id.as_str(),
        "cot.process": "Greeter",
        "cot.task": "greet",
        "cot.call.key": "greet#1@1",
        "cot.attempt": 1,
    });
    let Value::Object(expected) = expected else { unreachable!() };
    assert_eq!(crate::decoded::attributes(&call.attributes), expected);
    for span in &spans.0 {
        let parent = spans.0.iter().find(|other| other.span_id == span.parent_span_id);
        if let Some(parent) = parent {
            assert!(parent.start_time_unix_nano <= span.start_time_unix_nano);
            assert!(parent.end_time_unix_nano >= span.end_time_unix_nano);
        }
    }
    // The model takes 5 ms.
    assert!(call.end_time_unix_nano - call.start_time_unix_nano >= 5_000_000);
    let (name, version, schema) = backend.scope().await;
    assert_eq!((&*name, &*version), ("cot-otel", env!("CARGO_PKG_VERSION")));
    assert_eq!(schema, "https://opentelemetry.io/schemas/1.41.0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_is_decoded_over_grpc() {
    check_call_over(Backend::grpc().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_is_decoded_over_http() {
    check_call_over(Backend::http().await).await;
}

const SURVEY: &str = "\
invoke_workflow Survey
  task search
    task web
      chat gpt-test
    task papers
      chat gpt-test
  task describe
    chat gpt-test
    chat gpt-test
  task look
    invoke_workflow Look
      task look
        chat gpt-test
    invoke_workflow Look
      task look
        chat gpt-test
  task count
    run count
  task report
    chat gpt-test
    execute_tool price
    chat gpt-test
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn branches_items_sub_processes_functions_and_tools_are_a_tree() {
    let backend = Backend::grpc().await;
    let model = TestModel::new(|request| {
        let wants_price = request.prompt().contains("Report.") && request.rounds.is_empty();
        Ok(if wants_price {
            let call = ToolCall::new("price", json!({ "name": "kettle" })).with_id("call-1");
            ModelReply::calling([call])
        } else {
            json!({ "text": "seen" }).into()
        })
    });
    let runner = Survey::runner().model(model).instrument(backend.telemetry());
    let trip = Trip { names: vec!["Oslo".into(), "Rome".into()], ..Trip::default() };
    runner.run(trip).await.unwrap();
    let spans = backend.spans().await;
    assert_eq!(spans.tree(), SURVEY);
    let tool = spans.only("execute_tool price");
    assert!(tool.is_of_kind(SpanKind::Internal));
    assert_eq!(tool.get("gen_ai.operation.name"), "execute_tool");
    assert_eq!(tool.get("gen_ai.tool.name"), "price");
    assert_eq!(tool.get("gen_ai.tool.type"), "function");
    assert_eq!(tool.get("gen_ai.tool.call.id"), "call-1");
    assert_eq!(tool.get("cot.call.key"), "report#1@1+tool-1");
    let looks = spans.all("invoke_workflow Look");
    let mut items: Vec<Value> = looks.iter().map(|look| look.get("cot.item")).collect();
    items.sort_by_key(ToString::to_string);
    assert_eq!(items, [json!(0), json!(1)]);
    let describe = spans.only("task describe");
    let items: Vec<Value> = spans.children(describe).map(|call| call.get("cot.item")).collect();
    assert!(items.contains(&json!(0)) && items.contains(&json!(1)));
    // The calls of two items overlap.
    let calls: Vec<_> = spans.children(describe).collect();
    assert!(calls[1].start_time_unix_nano < calls[0].end_time_unix_nano);
    let report = spans.only("task report");
    let reasons: Vec<Value> =
        spans.children(report).map(|call| call.get("gen_ai.response.finish_reasons")).collect();
    assert_eq!(reasons, [json!(["tool_call"]), Value::Null, json!(["stop"])]);
    assert!(spans.0.iter().all(|span| !span.has_failed()));
    let trace = &spans.0[0].trace_id;
    assert!(spans.0.iter().all(|span| span.trace_id == *trace));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_streamed_reply_has_the_time_to_its_first_chunk() {
    let backend = Backend::grpc().await;
    let model = TestModel::replies([json!({ "text": "Hello to the whole world" })]);
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    runner.clone().token_deltas(true).observe(|_, _| {}).run(Note::default()).await.unwrap();
    let spans = backend.spans().await;
    let call = spans.only("chat gpt-test");
    assert_eq!(call.get("gen_ai.request.stream"), true);
    let first = call.get("gen_ai.response.time_to_first_chunk").as_f64().unwrap();
    #[expect(clippy::cast_precision_loss, reason = "a short time")]
    let whole = (call.end_time_unix_nano - call.start_time_unix_nano) as f64 / 1e9;
    assert!(first >= 0.005 && first < whole, "{first} of {whole}");
    let metrics = backend.metrics().await;
    let point = &metrics.histogram("gen_ai.client.operation.time_to_first_chunk")[0].1;
    assert_eq!(point.count, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retries_and_repairs_are_events_of_the_task() {
    let backend = Backend::grpc().await;
    let model = TestModel::replies(["no idea", "Sure: {text: \"Hello\",}"]);
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    runner.run(Note::default()).await.unwrap();
    let spans = backend.spans().await;
    let task = spans.only("task greet");
    assert!(!task.has_failed());
    let failed = task.events_named("cot.attempt_failed");
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["cot.failure"], "rejected");
    assert_eq!(failed[0]["cot.will_retry"], true);
    assert_eq!(failed[0]["cot.attempt"], 1);
    let repaired = task.events_named("cot.repaired");
    assert_eq!(repaired[0]["cot.attempt"], 2);
    assert!(repaired[0]["cot.repairs"].as_i64().unwrap() >= 1);
    assert_eq!(task.events_named("cot.committed").len(), 1);
    let attempts: Vec<Value> = spans.children(task).map(|call| call.get("cot.attempt")).collect();
    assert_eq!(attempts, [json!(1), json!(2)]);
    let metrics = backend.metrics().await;
    assert_eq!(metrics.sum("cot.retries"), 1.0);
    assert!(metrics.sum("cot.repairs") >= 1.0);
}
