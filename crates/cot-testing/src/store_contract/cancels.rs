//! Checks of requests to cancel a run.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use cot_engine::Event;
use cot_store::{
    CancelRequest, DueFilter, RunId, RunSummary, SetAside, Store, StoreError, Submission,
};
use futures_util::future::join;
use serde_json::json;

use super::{
    records::{
        asking, at, delta_step, ended, event, full_step, replied, running, sleeping, started,
    },
    support::{acquire, append, assert_error, assert_unknown_run, create_run, fail, id, ok},
};

async fn summary(store: &dyn Store, run: &RunId) -> RunSummary {
    match ok(store.run(run).await, "load a summary") {
        Some(summary) => summary,
        None => fail(&format!("the run `{run}` is missing")),
    }
}

async fn request(store: &dyn Store, run: &RunId, reason: &str, seconds: u64) {
    let request = CancelRequest::new(reason, at(seconds));
    ok(store.request_cancel(run, request).await, "request that a run is cancelled");
}

async fn due(store: &dyn Store, seconds: u64) -> Vec<String> {
    let filter = DueFilter::new(vec!["Process".to_owned()], at(seconds), 100);
    let due = ok(store.due(&filter).await, "list due runs");
    due.into_iter().map(|due| due.run.to_string()).collect()
}

pub(super) async fn need_a_run_that_has_not_ended(store: &dyn Store) {
    let nobody = id("nobody");
    assert_unknown_run(store.request_cancel(&nobody, CancelRequest::new("no", at(9))).await);
    let (run, lease) = create_run(store, "ends", vec![started(), delta_step(1, ended())]).await;
    let is_right = |error: &StoreError| matches!(error, StoreError::HasEnded { .. });
    let refused = store.request_cancel(&run, CancelRequest::new("no", at(9))).await;
    assert_error(refused, is_right, "`HasEnded`");
    assert_eq!(summary(store, &run).await.cancel_requested, None);
    drop(lease);
    assert_eq!(due(store, 1000).await, [""; 0]);
}

pub(super) async fn are_awaited_until_they_are_applied(store: &dyn Store) {
    let (run, lease) = create_run(store, "waits", vec![started()]).await;
    let expected = CancelRequest::new("Größe\u{0}'; --", at(7));
    {
        let mut waiting = pin!(store.wait_for_cancel(&run));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(waiting.as_mut().poll(&mut cx).is_pending(), "nothing is requested yet");
        let requesting = store.request_cancel(&run, expected.clone());
        let (found, left) = join(waiting, requesting).await;
        ok(left, "request that a run is cancelled");
        assert_eq!(ok(found, "wait for a request"), expected);
    }
    request(store, &run, "later", 8).await;
    let found = ok(store.wait_for_cancel(&run).await, "return the request");
    assert_eq!(found, expected, "the first request counts");
    append(store, &lease, vec![replied("a#1@1", "x"), delta_step(1, asking("b#1@1"))]).await;
    let seen = summary(store, &run).await.cancel_requested;
    assert_eq!(seen, Some(expected), "a request is kept until it is applied");

    append(store, &lease, vec![event(Event::Cancelled { reason: "no".to_owned(), calls: 0 })])
        .await;
    let seen = summary(store, &run).await;
    assert_eq!((seen.cancel_requested, seen.status), (None, running("b")), "it is applied");
    let mut waiting = pin!(store.wait_for_cancel(&run));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(matches!(waiting.as_mut().poll(&mut cx), Poll::Pending), "it was applied");
}

pub(super) async fn make_runs_due(store: &dyn Store) {
    let statuses = [("asks", asking("a#1@1")), ("sleeps", sleeping()), ("runs", running("a"))];
    for (name, status) in statuses {
        drop(create_run(store, name, vec![started(), full_step(1), delta_step(2, status)]).await);
    }
    let queued = ok(Submission::new("Process", &json!(null), at(3)), "write a state as JSON");
    ok(store.submit(queued.run_id(id("queued"))).await, "submit a run");
    assert_eq!(due(store, 10).await, ["runs", "queued"]);
    for (name, seconds) in [("asks", 6), ("sleeps", 5), ("runs", 8), ("queued", 7)] {
        request(store, &id(name), "", seconds).await;
    }
    assert_eq!(due(store, 10).await, ["sleeps", "asks", "queued", "runs"]);

    let lease = acquire(store, &id("asks")).await;
    assert_eq!(due(store, 10).await, ["sleeps", "queued", "runs"], "it has a driver");
    let cancelled = event(Event::Cancelled { reason: String::new(), calls: 0 });
    append(store, &lease, vec![cancelled]).await;
    drop(lease);
    let left = due(store, 10).await;
    assert!(left.contains(&"asks".to_owned()), "its driver died before it recorded the end");
    let lease = acquire(store, &id("asks")).await;
    append(store, &lease, vec![delta_step(3, ended())]).await;
    drop(lease);
    assert_eq!(due(store, 10).await, ["sleeps", "queued", "runs"], "it has ended");
}

/// A run that is set aside is put back, so that a driver applies the request.
pub(super) async fn put_runs_back(store: &dyn Store) {
    let (run, lease) = create_run(store, "crashed", vec![started()]).await;
    ok(store.set_aside(&lease, SetAside::new("it crashed", at(2))).await, "set a run aside");
    drop(lease);
    assert_eq!(due(store, 10).await, [""; 0]);
    request(store, &run, "give up", 5).await;
    let seen = summary(store, &run).await;
    assert_eq!((seen.due_at(), seen.set_aside), (Some(at(5)), None));
    assert_eq!(due(store, 10).await, ["crashed"]);

    // It can't be driven: it is not due again and again.
    let lease = acquire(store, &run).await;
    ok(store.set_aside(&lease, SetAside::new("it crashed", at(6))).await, "set a run aside");
    drop(lease);
    assert_eq!(due(store, 10).await, [""; 0]);
    let seen = summary(store, &run).await.cancel_requested;
    assert_eq!(seen, Some(CancelRequest::new("give up", at(5))));
    assert!(ok(store.retry(&run).await, "retry a run"));
    assert_eq!(due(store, 10).await, ["crashed"]);
    ok(store.remove(&run).await, "remove a run");
    let (again, _lease) = create_run(store, "crashed", vec![started()]).await;
    assert_eq!(summary(store, &again).await.cancel_requested, None, "it was another run");
}
