//! Checks of drafts. A store may keep none.

use cot_store::{Draft, RunId, Store, StoreError};

use super::{
    records::{delta_step, ended, key, replied, started},
    support::{acquire, append, assert_error, create_run, entries, id, ok},
};

async fn drafts(store: &dyn Store, run: &RunId) -> Vec<Draft> {
    ok(store.drafts(run).await, "list drafts")
}

pub(super) async fn are_gone_with_their_calls(store: &dyn Store) {
    assert_eq!(drafts(store, &id("nobody")).await, []);
    let (run, lease) = create_run(store, "writes", vec![started()]).await;
    let put = async |call: &str, text: &str, thought: &str| {
        let draft = Draft::new(key(call), text, thought);
        ok(store.put_draft(&lease, draft).await, "store a draft");
    };
    put("b#1@1", "Dear", "").await;
    if drafts(store, &run).await.is_empty() {
        return;
    }
    put("a#1[2]@1", "", "Hm\u{0}ä").await;
    put("b#1@1", "Dear Anna", "so").await;
    let [one, other] = [("a#1[2]@1", "", "Hm\u{0}ä"), ("b#1@1", "Dear Anna", "so")]
        .map(|(call, text, thought)| Draft::new(key(call), text, thought));
    assert_eq!(drafts(store, &run).await, [one.clone(), other], "the last of each call, by key");
    assert_eq!(entries(store, &run).await.len(), 1, "a draft is not an entry");

    append(store, &lease, vec![replied("b#1@1", "Dear Anna, so")]).await;
    assert_eq!(drafts(store, &run).await, [one], "an event with its key ends a draft");
    put("a#1[2]@1", "", "").await;
    assert_eq!(drafts(store, &run).await, [], "an empty draft removes it");
    put("c#1@1", "x", "").await;
    append(store, &lease, vec![delta_step(1, ended())]).await;
    assert_eq!(drafts(store, &run).await, [], "the end of the run ends all drafts");
}

pub(super) async fn are_gone_with_their_lease(store: &dyn Store) {
    let (run, lease) = create_run(store, "writes", vec![started()]).await;
    let (other, _other) = create_run(store, "other", vec![started()]).await;
    ok(store.put_draft(&lease, Draft::new(key("a#1@1"), "Dear", "")).await, "store a draft");
    assert_eq!(drafts(store, &other).await, [], "it is a draft of another run");
    drop(lease);
    assert_eq!(drafts(store, &run).await, []);
    let lease = acquire(store, &run).await;
    assert_eq!(drafts(store, &run).await, [], "another driver makes the calls again");
    drop(lease);
    ok(store.remove(&run).await, "remove a run");
    assert_eq!(drafts(store, &run).await, []);
    let unknown = acquire(store, &id("new")).await;
    let early = store.put_draft(&unknown, Draft::new(key("a#1@1"), "Dear", "")).await;
    if early.is_err() {
        let is_right = |error: &StoreError| matches!(error, StoreError::UnknownRun { .. });
        assert_error(early, is_right, "`UnknownRun`");
    }
}
