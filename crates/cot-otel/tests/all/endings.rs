//! Errors, time limits, panics, cancellations and dropped runs.

use std::time::Duration;

use cot_core::{
    RunEvent,
    model::{ModelError, ModelErrorKind},
};
use serde_json::json;

use crate::{
    decoded::{SpanExt as _, Spans},
    model::TestModel,
    processes::{Fragile, Greeter, Letters, Note, Trouble},
    receiver::Backend,
};

async fn troubled(trouble: Trouble) -> Spans {
    let backend = Backend::grpc().await;
    let runner = Fragile::runner(trouble).instrument(backend.telemetry());
    runner.report(Note::default()).await.unwrap();
    let metrics = backend.metrics().await;
    assert_eq!(metrics.sum("cot.run.active"), 0.0);
    backend.spans().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_function_ends_with_its_error() {
    for (trouble, word, halted) in [
        (Trouble::Error, "function_error", "code_failed"),
        (Trouble::Panic, "panic", "panicked"),
        (Trouble::Hang, "timeout", "timeout"),
    ] {
        let spans = troubled(trouble).await;
        let call = spans.only("run work");
        assert_eq!(call.get("error.type"), word, "{trouble:?}");
        assert!(call.has_failed());
        // Words are content.
        assert_eq!(call.words(), "");
        let (task, run) = (spans.only("task work"), spans.only("invoke_workflow Fragile"));
        assert!(task.has_failed() && run.has_failed(), "{}", spans.tree());
        assert_eq!(run.get("error.type"), halted);
        assert_eq!(run.get("cot.run.ending"), "halted");
        let text = format!("{:?}", spans.0);
        assert!(!text.contains("sesame"), "{text}");
    }
    let spans = troubled(Trouble::None).await;
    assert!(spans.0.iter().all(|span| !span.has_failed()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_fails_gives_its_status() {
    let kinds = [
        (ModelErrorKind::Status { code: 429, retry_after: None }, "429"),
        (ModelErrorKind::Connection, "connection"),
        (ModelErrorKind::Other, "_OTHER"),
    ];
    for (kind, word) in kinds {
        let backend = Backend::grpc().await;
        let error = ModelError::new(kind, "sesame");
        let model = TestModel::new(move |_| Err(error.clone()));
        let runner = Greeter::runner().model(model).instrument(backend.telemetry());
        let _ = runner.run(Note::default()).await;
        let spans = backend.spans().await;
        let call = spans.only("chat gpt-test");
        assert_eq!((call.get("error.type"), call.has_failed()), (json!(word), true));
        let metrics = backend.metrics().await;
        let duration = metrics.histogram("gen_ai.client.operation.duration");
        assert_eq!(duration[0].0["error.type"], word);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_run_ends_its_spans() {
    let backend = Backend::grpc().await;
    let model = TestModel::replies([json!({ "text": "late" })]).delay(Duration::from_secs(60));
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    let running = runner.run(Note::default());
    assert!(tokio::time::timeout(Duration::from_millis(50), running).await.is_err());
    let spans = backend.spans().await;
    assert_eq!(spans.tree(), "invoke_workflow Greeter\n  task greet\n    chat gpt-test\n");
    assert_eq!(spans.only("chat gpt-test").get("cot.dropped"), true);
    assert_eq!(spans.only("task greet").get("cot.dropped"), true);
    let run = spans.only("invoke_workflow Greeter");
    assert_eq!(run.get("cot.run.suspended"), true);
    assert!(!run.has_failed());
    assert_eq!(backend.metrics().await.sum("cot.run.active"), 0.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_run_has_failed_and_no_call_stays_open() {
    let backend = Backend::grpc().await;
    let model = TestModel::replies([json!({ "text": "late" })]).delay(Duration::from_secs(60));
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    let active = runner.start(Note::default()).unwrap();
    let handle = active.handle();
    let run = tokio::spawn(active.finish().report());
    tokio::time::sleep(Duration::from_millis(50)).await;
    handle.cancel("enough");
    run.await.unwrap().unwrap();
    let spans = backend.spans().await;
    assert_eq!(spans.tree(), "invoke_workflow Greeter\n  task greet\n    chat gpt-test\n");
    assert_eq!(spans.only("chat gpt-test").get("cot.dropped"), true);
    assert!(spans.only("invoke_workflow Greeter").has_failed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_counted_while_it_waits() {
    let backend = Backend::grpc().await;
    let model = TestModel::new(|_| Ok(json!({ "text": "Dear all" }).into()));
    let runner = Letters::runner().model(model).instrument(backend.telemetry());
    let mut active = runner.start(Note::default()).unwrap();
    while let Some(event) = active.next().await {
        if matches!(event, RunEvent::Asked { .. }) {
            break;
        }
    }
    let waiting = backend.metrics().await;
    assert_eq!(waiting.sum("cot.people.waiting"), 1.0);
    assert_eq!(waiting.sum("cot.run.active"), 1.0);
    let handle = active.handle();
    let run = tokio::spawn(active.finish());
    assert!(handle.answer(&json!({ "is_good": "perhaps" })).await.is_err());
    handle.answer(&json!({ "is_good": true })).await.unwrap();
    run.await.unwrap().unwrap();
    let ended = backend.metrics().await;
    assert_eq!((ended.sum("cot.people.waiting"), ended.sum("cot.run.active")), (0.0, 0.0));
    let spans = backend.spans().await;
    assert!(!spans.only("task approve").events_named("cot.asked").is_empty());
}
