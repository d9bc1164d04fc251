//! Checks of human answers that are stored for a run.

use std::{
    pin::pin,
    sync::OnceLock,
    task::{Context, Poll, Waker},
};

use cot_engine::CallKey;
use cot_schema::{
    CotOutput, OutputSchema,
    internal::{Checker, RulesCollector},
};
use cot_store::{RunId, Status, Store, StoreError, internal::know_questions};
use futures_util::future::{Either, join, select};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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

/// The decision of a person. The derive would need the facade.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Decision {
    is_good: bool,
    reason: Option<String>,
}

impl CotOutput for Decision {
    type Partial = Value;

    fn output_schema() -> &'static OutputSchema {
        static SCHEMA: OnceLock<OutputSchema> = OnceLock::new();
        SCHEMA.get_or_init(OutputSchema::for_output::<Self>)
    }

    fn gather_rules(rules: &mut RulesCollector) {
        rules.add_type::<Self>(&[], &[], |_| {});
        rules.mark_checks();
    }

    fn run_checks(&self, checker: &mut Checker<'_>) {
        checker.require(self.is_good || self.reason.is_some(), "a refusal needs a reason");
    }
}

/// The rules of the type hold where a question is answered, not when its run continues.
pub(super) async fn keep_the_rules_of_their_type(store: &dyn Store) {
    know_questions("Process", |key| (key.task() == "decide").then(Decision::output_schema));
    let asked = key("decide#1@1");
    let mut question = asking("decide#1@1");
    if let Status::Asking { schema, .. } = &mut question {
        schema.clone_from(Decision::output_schema().json());
    }
    let (run, _lease) = create_run(store, "rules", vec![started(), delta_step(1, question)]).await;
    let says_what_is_missing = |error: &StoreError| {
        matches!(error, StoreError::InvalidAnswer { issues, .. }
        if issues.to_string().contains("a refusal needs a reason"))
    };
    let wrong = store.put_answer(&run, &asked, json!({ "is_good": false })).await;
    assert_error(wrong, says_what_is_missing, "`InvalidAnswer`, with the broken rule");
    let summary = ok(store.run(&run).await, "load a summary");
    assert_eq!(summary.map(|run| run.is_answered), Some(false), "nothing is stored");
    for right in [json!({ "is_good": true }), json!({ "is_good": false, "reason": "late" })] {
        ok(store.put_answer(&run, &asked, right).await, "store an answer");
    }
}
