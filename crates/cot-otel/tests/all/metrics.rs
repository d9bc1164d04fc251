//! The metrics of runs.

use cot_core::{
    Usage,
    model::ModelReply,
    store::{MemoryStore, Store as _},
};
use serde_json::{Value, json};

use crate::{
    model::TestModel,
    processes::{Greeter, Letters, Note},
    receiver::Backend,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_and_runs_are_measured() {
    let backend = Backend::http().await;
    let usage = Usage::for_call(1200, 80).cost(0.25);
    let model = TestModel::new(move |_| {
        Ok(ModelReply::from(json!({ "text": "Hello" })).usage(usage).model("gpt-test-0613"))
    });
    let runner = Greeter::runner().model(model).instrument(backend.telemetry());
    for _ in 0..3 {
        runner.run(Note::default()).await.unwrap();
    }
    let metrics = backend.metrics().await;
    let expected = |of_tokens: Option<&str>| {
        let mut expected = json!({
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "gpt-test",
            "gen_ai.response.model": "gpt-test-0613",
            "gen_ai.workflow.name": "Greeter",
            "cot.task": "greet",
            "server.address": "models.test",
            "server.port": 8443,
        });
        if let Some(kind) = of_tokens {
            expected["gen_ai.token.type"] = json!(kind);
        }
        expected
    };
    let tokens = metrics.histogram("gen_ai.client.token.usage");
    assert_eq!(tokens.len(), 2);
    for (kind, sum) in [("input", 3600.0), ("output", 240.0)] {
        let is_of_kind = |attributes: &serde_json::Map<String, Value>| {
            Value::Object(attributes.clone()) == expected(Some(kind))
        };
        let (_, point) = tokens.iter().find(|(attributes, _)| is_of_kind(attributes)).unwrap();
        assert_eq!((point.count, point.sum), (3, Some(sum)));
    }
    let (attributes, duration) = &metrics.histogram("gen_ai.client.operation.duration")[0];
    assert_eq!(Value::Object(attributes.clone()), expected(None));
    assert_eq!(duration.count, 3);
    assert!(duration.sum.unwrap() >= 0.015);
    assert_eq!(metrics.sum("cot.cost"), 0.75);
    let (attributes, runs) = &metrics.histogram("cot.run.duration")[0];
    assert_eq!((&attributes["cot.process"], runs.count), (&json!("Greeter"), 3));
    assert_eq!(metrics.sum("cot.run.active"), 0.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_runs_of_a_store_are_counted_by_status() {
    let backend = Backend::grpc().await;
    let telemetry = backend.telemetry();
    let store = MemoryStore::default();
    let model = TestModel::new(|_| Ok(json!({ "text": "Dear all" }).into()));
    let runner = Letters::runner().model(model).instrument(telemetry.clone());
    for _ in 0..2 {
        runner.clone().store(store.clone()).submit(&Note::default()).await.unwrap();
    }
    let count = async |status: &str| {
        telemetry.record_store(&store).await.unwrap();
        let metrics = backend.metrics().await;
        let numbers = metrics.numbers("cot.store.runs");
        let of_status = numbers.iter().find(|(of, _)| of["cot.run.status"] == *status);
        of_status.unwrap().1
    };
    assert_eq!((count("queued").await, count("asking").await), (2.0, 0.0));
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!((count("queued").await, count("asking").await), (0.0, 2.0));
    assert_eq!(store.runs(&Default::default()).await.unwrap().len(), 2);
}
