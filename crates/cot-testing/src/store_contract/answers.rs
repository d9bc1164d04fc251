//! Answers of people, left for a run.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use cot_engine::CallKey;
use cot_store::{RunId, Status, Store, StoreError};
use futures_util::future::{Either, join, select};
use serde_json::json;

use super::{
    records::{answered, asking, begun, changed, key, running},
    support::{append, fail, id, ok, refused, run_of, unknown},
};

async fn not_asked(store: &dyn Store, run: &RunId, key: &CallKey) {
    let is_right = |error: &StoreError| matches!(error, StoreError::NotAsked { .. });
    refused(store.put_answer(run, key, json!(0)).await, is_right, "`NotAsked`");
}

pub(super) async fn are_for_what_is_asked(store: &dyn Store) {
    let asked = key("a#1@1");
    unknown(store.put_answer(&id("nobody"), &asked, json!(1)).await);
    let (run, lease) = run_of(store, "asks", vec![begun()]).await;
    not_asked(store, &run, &asked).await;
    append(store, &lease, vec![changed(1, asking("a#1@1"))]).await;
    not_asked(store, &run, &key("a#1@2")).await;
    ok(store.put_answer(&run, &asked, json!(1)).await, "leave an answer");
    append(store, &lease, vec![changed(2, running("b"))]).await;
    not_asked(store, &run, &asked).await;
}

pub(super) async fn are_found_and_waited_for(store: &dyn Store) {
    let asked = key("a#1@1");
    let nasty = json!({ "ä": ["\"", "\u{0}", null, 1.5, -7], "": { "z": 1, "a": 2 } });
    let (run, lease) = run_of(store, "waits", vec![begun(), changed(1, asking("a#1@1"))]).await;
    {
        let mut waiting = pin!(store.wait_for_answer(&run, &asked));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(waiting.as_mut().poll(&mut cx).is_pending(), "there is no answer yet");
        let answering = store.put_answer(&run, &asked, nasty.clone());
        let (found, left) = join(waiting, answering).await;
        ok(left, "leave an answer");
        assert_eq!(ok(found, "wait for an answer"), nasty);
    }
    let found = store.wait_for_answer(&run, &asked).await;
    assert_eq!(ok(found, "find an answer"), nasty, "it stays until it is taken");
    // It stays with the run when its driver goes.
    drop(lease);
    let found = store.wait_for_answer(&run, &asked).await;
    assert_eq!(ok(found, "find an answer"), nasty, "it stays until it is taken");
}

pub(super) async fn are_replaced(store: &dyn Store) {
    let asked = key("a#1@1");
    let (run, _lease) = run_of(store, "replaces", vec![begun(), changed(1, asking("a#1@1"))]).await;
    for answer in [json!("first"), json!("second")] {
        ok(store.put_answer(&run, &asked, answer).await, "leave an answer");
    }
    let found = ok(store.wait_for_answer(&run, &asked).await, "find an answer");
    assert_eq!(found, json!("second"), "a later answer replaces one that was not taken");
}

pub(super) async fn are_taken_by_the_event(store: &dyn Store) {
    let (first, second) = (key("a#1@1"), key("a#1@2"));
    let (run, lease) = run_of(store, "takes", vec![begun(), changed(1, asking("a#1@1"))]).await;
    ok(store.put_answer(&run, &first, json!("first")).await, "leave an answer");
    append(store, &lease, vec![answered("a#1@1")]).await;
    not_asked(store, &run, &first).await;
    append(store, &lease, vec![changed(1, asking("a#1@2"))]).await;
    not_asked(store, &run, &first).await;
    ok(store.put_answer(&run, &second, json!("second")).await, "leave an answer");

    let taken = pin!(store.wait_for_answer(&run, &first));
    let found = pin!(store.wait_for_answer(&run, &second));
    match select(taken, found).await {
        Either::Right((found, mut taken)) => {
            assert_eq!(ok(found, "find an answer"), json!("second"));
            let mut cx = Context::from_waker(Waker::noop());
            let poll = taken.as_mut().poll(&mut cx);
            assert!(matches!(poll, Poll::Pending), "the first answer was taken");
        }
        Either::Left((taken, _)) => {
            fail(&format!("an answer that was taken is there again: {taken:?}"))
        }
    }
}

pub(super) async fn fit_the_schema(store: &dyn Store) {
    let asked = key("a#1@1");
    let mut question = asking("a#1@1");
    if let Status::Asking { schema, .. } = &mut question {
        *schema = json!({ "type": "object", "properties": { "is good": { "type": "boolean" } } });
    }
    let (run, _lease) = run_of(store, "fits", vec![begun(), changed(1, question)]).await;
    let wrong = store.put_answer(&run, &asked, json!({ "is good": "perhaps" })).await;
    let names_the_place = |error: &StoreError| {
        matches!(error, StoreError::InvalidAnswer { issues, .. }
        if issues.iter().any(|issue| issue.path.contains("is good")))
    };
    refused(wrong, names_the_place, "`InvalidAnswer`, with the path");
    let right = json!({ "is good": true });
    ok(store.put_answer(&run, &asked, right.clone()).await, "leave an answer");
    assert_eq!(ok(store.wait_for_answer(&run, &asked).await, "find an answer"), right);
}
