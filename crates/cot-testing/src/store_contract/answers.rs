//! Checks of human answers that are stored for a run.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use cot_engine::CallKey;
use cot_store::{RunId, Status, Store, StoreError};
use futures_util::future::{Either, join, select};
use serde_json::json;

use super::{
    records::{answered, asking, delta_step, key, running, started},
    support::{append, assert_error, assert_unknown_run, create_run, fail, id, ok},
};

async fn not_asked(store: &dyn Store, run: &RunId, key: &CallKey) {
    let is_right = |error: &StoreError| matches!(error, StoreError::NotAsked { .. });
    assert_error(store.put_answer(run, key, json!(0)).await, is_right, "`NotAsked`");
}

pub(super) async fn require_an_open_question(store: &dyn Store) {
    let asked = key("a#1@1");
    assert_unknown_run(store.put_answer(&id("nobody"), &asked, json!(1)).await);
    let (run, lease) = create_run(store, "asks", vec![started()]).await;
    not_asked(store, &run, &asked).await;
    append(store, &lease, vec![delta_step(1, asking("a#1@1"))]).await;
    not_asked(store, &run, &key("a#1@2")).await;
    ok(store.put_answer(&run, &asked, json!(1)).await, "store an answer");
    append(store, &lease, vec![delta_step(2, running("b"))]).await;
    not_asked(store, &run, &asked).await;
}

pub(super) async fn are_returned_and_awaited(store: &dyn Store) {
    let asked = key("a#1@1");
    let nasty = json!({ "ä": ["\"", "\u{0}", null, 1.5, -7], "": { "z": 1, "a": 2 } });
    let (run, lease) =
        create_run(store, "waits", vec![started(), delta_step(1, asking("a#1@1"))]).await;
    {
        let mut waiting = pin!(store.wait_for_answer(&run, &asked));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(waiting.as_mut().poll(&mut cx).is_pending(), "no answer is stored yet");
        let answering = store.put_answer(&run, &asked, nasty.clone());
        let (found, left) = join(waiting, answering).await;
        ok(left, "store an answer");
        assert_eq!(ok(found, "wait for the answer"), nasty);
    }
    let found = store.wait_for_answer(&run, &asked).await;
    assert_eq!(
        ok(found, "return the stored answer"),
        nasty,
        "an answer is kept until a driver takes it"
    );
    // The answer is stored with the run, independent of its driver.
    drop(lease);
    let found = store.wait_for_answer(&run, &asked).await;
    assert_eq!(
        ok(found, "return the stored answer"),
        nasty,
        "an answer is kept until a driver takes it"
    );
}

pub(super) async fn are_replaced(store: &dyn Store) {
    let asked = key("a#1@1");
    let (run, _lease) =
        create_run(store, "replaces", vec![started(), delta_step(1, asking("a#1@1"))]).await;
    for answer in [json!("first"), json!("second")] {
        ok(store.put_answer(&run, &asked, answer).await, "store an answer");
    }
    let found = ok(store.wait_for_answer(&run, &asked).await, "return the stored answer");
    assert_eq!(found, json!("second"), "a later answer replaces one that no driver has taken");
}

pub(super) async fn are_taken_by_the_event(store: &dyn Store) {
    let (first, second) = (key("a#1@1"), key("a#1@2"));
    let (run, lease) =
        create_run(store, "takes", vec![started(), delta_step(1, asking("a#1@1"))]).await;
    ok(store.put_answer(&run, &first, json!("first")).await, "store an answer");
    append(store, &lease, vec![answered("a#1@1")]).await;
    not_asked(store, &run, &first).await;
    append(store, &lease, vec![delta_step(1, asking("a#1@2"))]).await;
    not_asked(store, &run, &first).await;
    ok(store.put_answer(&run, &second, json!("second")).await, "store an answer");

    let taken = pin!(store.wait_for_answer(&run, &first));
    let found = pin!(store.wait_for_answer(&run, &second));
    match select(taken, found).await {
        Either::Right((found, mut taken)) => {
            assert_eq!(ok(found, "return the stored answer"), json!("second"));
            let mut cx = Context::from_waker(Waker::noop());
            let poll = taken.as_mut().poll(&mut cx);
            assert!(matches!(poll, Poll::Pending), "the first answer was taken");
        }
        Either::Left((taken, _)) => {
            fail(&format!("an answer that was taken is returned again: {taken:?}"))
        }
    }
}

pub(super) async fn fit_the_schema(store: &dyn Store) {
    let asked = key("a#1@1");
    let mut question = asking("a#1@1");
    if let Status::Asking { schema, .. } = &mut question {
        *schema = json!({ "type": "object", "properties": { "is good": { "type": "boolean" } } });
    }
    let (run, _lease) = create_run(store, "fits", vec![started(), delta_step(1, question)]).await;
    let wrong = store.put_answer(&run, &asked, json!({ "is good": "perhaps" })).await;
    let names_the_place = |error: &StoreError| {
        matches!(error, StoreError::InvalidAnswer { issues, .. }
        if issues.iter().any(|issue| issue.path.contains("is good")))
    };
    assert_error(wrong, names_the_place, "`InvalidAnswer`, with the path");
    let right = json!({ "is good": true });
    ok(store.put_answer(&run, &asked, right.clone()).await, "store an answer");
    assert_eq!(ok(store.wait_for_answer(&run, &asked).await, "return the stored answer"), right);
}
