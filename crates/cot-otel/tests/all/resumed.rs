//! Runs that wait and are resumed elsewhere.

use cot_core::store::{MemoryStore, Status, Store as _};
use serde_json::json;

use crate::{
    decoded::SpanExt as _,
    model::TestModel,
    processes::{Letters, Note},
    receiver::Backend,
};

/// A program: its own providers, receiver and runner.
async fn program() -> (Backend, cot_core::Runner<Letters>) {
    let backend = Backend::grpc().await;
    let model = TestModel::new(|_| Ok(json!({ "text": "Dear all" }).into()));
    let runner = Letters::runner().model(model).instrument(backend.telemetry());
    (backend, runner)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_resumed_elsewhere_links_to_its_first_trace() {
    let store = MemoryStore::default();
    let (first, runner) = program().await;
    let run = runner.clone().store(store.clone()).submit(&Note::default()).await.unwrap();
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    let before = first.spans().await;
    let begun = before.only("invoke_workflow Letters");
    assert_eq!(begun.get("cot.run.suspended"), true);
    assert!(begun.links.is_empty() && begun.parent_span_id.is_empty());
    let task = before.only("task approve");
    assert_eq!(task.events_named("cot.asked").len(), 1);

    let Some(Status::Asking { key, .. }) = store.run(&run).await.unwrap().map(|run| run.status)
    else {
        panic!("it asks")
    };
    store.put_answer(&run, &key, json!({ "is_good": true })).await.unwrap();
    let (second, runner) = program().await;
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    assert!(store.run(&run).await.unwrap().unwrap().status.is_ended());
    let after = second.spans().await;
    let resumed = after.only("invoke_workflow Letters");
    assert_eq!(resumed.get("cot.run.resumed"), true);
    assert_eq!(resumed.get("cot.run.id"), begun.get("cot.run.id"));
    assert_eq!(resumed.get("cot.run.ending"), "end");
    assert!(resumed.parent_span_id.is_empty());
    assert_ne!(resumed.trace_id, begun.trace_id);
    assert_eq!(resumed.links.len(), 1);
    assert_eq!(resumed.links[0].trace_id, begun.trace_id);
    assert_eq!(resumed.links[0].span_id, begun.span_id);
    assert_eq!(after.tree(), "invoke_workflow Letters\n  task send\n    chat gpt-test\n");
    for backend in [first, second] {
        let metrics = backend.metrics().await;
        assert_eq!(metrics.sum("cot.run.active"), 0.0);
        assert_eq!(metrics.sum("cot.people.waiting"), 0.0);
    }
}
