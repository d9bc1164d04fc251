//! The contexts of callers, and what servers and the program's own spans see.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, extract::State, http::HeaderMap, routing::post};
use cot_core::model::{OpenAiCompatible, TraceContext};
use opentelemetry::{
    Context, global,
    trace::{FutureExt as _, SpanKind, TraceContextExt as _, Tracer as _, TracerProvider as _},
};
use serde_json::{Value, json};

use crate::{
    decoded::SpanExt as _,
    model::TestModel,
    processes::{Greeter, Note},
    receiver::Backend,
};

type Headers = Arc<Mutex<Vec<HeaderMap>>>;

async fn complete(State(seen): State<Headers>, headers: HeaderMap) -> Json<Value> {
    seen.lock().unwrap().push(headers);
    let message = json!({ "role": "assistant", "content": r#"{"text":"Hello"}"# });
    Json(json!({
        "id": "chatcmpl-7",
        "model": "served-model",
        "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 12, "completion_tokens": 3 },
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_sees_the_span_of_the_call() {
    let seen = Headers::default();
    let app = Router::new().route("/v1/chat/completions", post(complete)).with_state(seen.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });

    let backend = Backend::grpc().await;
    let url = format!("http://{address}/v1");
    let model = OpenAiCompatible::builder(url, "served-model").build().unwrap();
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    runner.run(Note::default()).await.unwrap();
    let spans = backend.spans().await;
    let call = spans.only("chat served-model");
    let headers = seen.lock().unwrap();
    let header = headers[0]["traceparent"].to_str().unwrap();
    let context: TraceContext = header.parse().unwrap();
    assert_eq!(context.trace_id().to_vec(), call.trace_id);
    assert_eq!(context.span_id().to_vec(), call.span_id);
    assert!(context.is_sampled());
    assert_eq!(call.get("gen_ai.response.id"), "chatcmpl-7");
    assert_eq!(call.get("gen_ai.usage.input_tokens"), 12);
    assert_eq!(call.get("server.address"), "127.0.0.1");
    assert_eq!(call.get("server.port"), i64::from(address.port()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_context_of_the_caller_is_the_parent_of_the_run() {
    let backend = Backend::grpc().await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let contexts = Arc::clone(&seen);
    let model = TestModel::replies([json!({ "text": "Hello" })])
        .seen(move |context| contexts.lock().unwrap().push(context));
    let caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let caller = TraceContext::from_headers(caller, ["vendor=value"]).unwrap();
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    runner.trace_context(caller.clone()).run(Note::default()).await.unwrap();
    let spans = backend.spans().await;
    let run = spans.only("invoke_workflow Greeter");
    assert_eq!(run.trace_id, caller.trace_id());
    assert_eq!(run.parent_span_id, caller.span_id());
    assert_eq!(run.trace_state, "vendor=value");
    let seen = seen.lock().unwrap()[0].clone().unwrap();
    assert_eq!(seen.span_id().to_vec(), spans.only("chat gpt-test").span_id);
    assert_eq!(seen.trace_state(), Some("vendor=value"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_does_not_record_is_obeyed() {
    let backend = Backend::grpc().await;
    let caller: TraceContext =
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00".parse().unwrap();
    let model = TestModel::replies([json!({ "text": "Hello" })]);
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    runner.trace_context(caller).run(Note::default()).await.unwrap();
    assert_eq!(backend.spans().await.tree(), "");
    let metrics = backend.metrics().await;
    assert_eq!(metrics.histogram("gen_ai.client.operation.duration")[0].1.count, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spans_of_the_program_nest() {
    let backend = Backend::grpc().await;
    let (inner, outer) = (backend.tracers.tracer("client"), backend.tracers.tracer("program"));
    let model = TestModel::replies([json!({ "text": "Hello" })]).seen(move |_| {
        let span = inner.span_builder("POST").with_kind(SpanKind::Client);
        drop(span.start(&inner));
    });
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    let request = Context::current_with_span(outer.start("request"));
    let running = {
        let _guard = request.clone().attach();
        runner.run(Note::default())
    };
    running.with_context(request.clone()).await.unwrap();
    request.span().end();
    // Nothing of the run is left in this thread.
    assert!(!Context::current().has_active_span());
    assert_eq!(TraceContext::current(), None);
    let spans = backend.spans().await;
    assert_eq!(
        spans.tree(),
        "request\n  invoke_workflow Greeter\n    task greet\n      chat gpt-test\n        POST\n"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_sdk_nothing_happens() {
    assert!(!global::tracer("none").start("none").span_context_is_valid());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let contexts = Arc::clone(&seen);
    let model = TestModel::replies([json!({ "text": "Hello" })])
        .seen(move |context| contexts.lock().unwrap().push(context));
    let runner = Greeter::runner().model(model).instrument(cot_core::otel::Telemetry::new());
    let report = runner.run(Note::default()).await.unwrap();
    assert_eq!(report.state.text, "Hello");
    assert_eq!(*seen.lock().unwrap(), [None]);
}

trait IsValid {
    fn span_context_is_valid(&self) -> bool;
}

impl<S: opentelemetry::trace::Span> IsValid for S {
    fn span_context_is_valid(&self) -> bool {
        self.span_context().is_valid()
    }
}
