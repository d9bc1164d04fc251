//! Journals whose end is removed.

use std::pin::pin;

use cot_core::store::{RunId, Store, StoreError};
use cot_sqlite::SqliteStore;
use futures_util::future::{Either, select};
use serde_json::{Value, json};

use crate::kit::{Place, answered, asking, begun, changed, entries, id, key, run_of, whole};

/// Returns the stored answer of a run.
async fn left(store: &SqliteStore, run: &RunId, call: &str) -> Option<Value> {
    // A second answer that certainly exists is read after the other.
    let (bell, _lease) = run_of(store, "bell", vec![begun(), whole(1, asking("a#1@1"))]).await;
    store.put_answer(&bell, &key("a#1@1"), Value::Null).await.unwrap();
    let (first, last) = (key(call), key("a#1@1"));
    let (wanted, bell) =
        (pin!(store.wait_for_answer(run, &first)), pin!(store.wait_for_answer(&bell, &last)));
    match select(wanted, bell).await {
        Either::Left((answer, _)) => Some(answer.unwrap()),
        Either::Right(_) => None,
    }
}

#[tokio::test]
async fn a_question_that_is_asked_anew_waits_for_a_new_answer() {
    let place = Place::new();
    let store = place.open();
    let records = vec![begun(), changed(1), whole(2, asking("approve#1@1"))];
    let (run, lease) = run_of(&store, "run", records).await;
    store.put_answer(&run, &key("approve#1@1"), json!("to the old question")).await.unwrap();
    drop(lease);
    assert_eq!(store.cut(&run, 2).await.unwrap(), 1);

    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, vec![whole(2, asking("approve#1@1"))]).await.unwrap();
    assert_eq!(left(&store, &run, "approve#1@1").await, None);
    store.put_answer(&run, &key("approve#1@1"), json!("to the new one")).await.unwrap();
    let answer = store.wait_for_answer(&run, &key("approve#1@1")).await.unwrap();
    assert_eq!(answer, json!("to the new one"));
}

#[tokio::test]
async fn a_question_from_before_the_cut_is_asked_again() {
    let place = Place::new();
    let store = place.open();
    let asks = |attempt: &str| whole(1, asking(&format!("approve#1@{attempt}")));
    let records = vec![begun(), asks("1"), answered("approve#1@1"), asks("2")];
    let (run, lease) = run_of(&store, "run", records).await;
    store.put_answer(&run, &key("approve#1@2"), json!("to the second")).await.unwrap();
    drop(lease);
    assert_eq!(store.cut(&run, 2).await.unwrap(), 2);
    assert_eq!(left(&store, &run, "approve#1@2").await, None);
    store.put_answer(&run, &key("approve#1@1"), json!("to the first")).await.unwrap();
}

#[tokio::test]
async fn where_nothing_is_dropped_an_answer_stays() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun(), whole(1, asking("a#1@1"))]).await;
    store.put_answer(&run, &key("a#1@1"), json!("an answer")).await.unwrap();
    drop(lease);
    for from in [2, 3, u64::MAX] {
        assert_eq!(store.cut(&run, from).await.unwrap(), 0);
        assert_eq!(store.run(&run).await.unwrap().unwrap().entries, 2);
    }
    assert_eq!(left(&store, &run, "a#1@1").await, Some(json!("an answer")));
}

/// The parts that a repaired file may lack.
#[tokio::test]
async fn an_entry_that_is_missing_is_one_that_does_not_read() {
    let place = Place::new();
    let store = place.open();
    let records = (1..6).map(changed);
    let records = std::iter::once(begun()).chain(records).collect();
    let (run, lease) = run_of(&store, "run", records).await;
    drop(lease);
    let missing = "DELETE FROM journal WHERE number = 3";
    assert_eq!(place.sql().execute(missing, []).unwrap(), 1);
    let spoilt = "UPDATE journal SET body = 'nonsense' WHERE number = 4";
    assert_eq!(place.sql().execute(spoilt, []).unwrap(), 1);
    for from in [5, 6, 100] {
        let refused = store.cut(&run, from).await.unwrap_err();
        assert!(matches!(refused, StoreError::Corrupt { entry: 3, .. }), "{from}: {refused}");
    }
    assert_eq!(store.cut(&run, 3).await.unwrap(), 2);
    assert_eq!(store.run(&run).await.unwrap().unwrap().entries, 3);

    let lease = store.acquire(&id("run")).await.unwrap();
    store.append(&lease, vec![changed(3)]).await.unwrap();
    let numbers: Vec<u64> = entries(&store, &run).await.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
}

#[tokio::test]
async fn a_journal_without_its_beginning_is_of_no_use() {
    let place = Place::new();
    let store = place.open();
    drop(run_of(&store, "run", vec![begun(), changed(1), changed(2)]).await);
    place.sql().execute("DELETE FROM journal WHERE number = 0", []).unwrap();
    let refused = store.cut(&id("run"), 2).await.unwrap_err();
    assert!(matches!(refused, StoreError::Corrupt { entry: 0, .. }), "{refused}");
    store.remove(&id("run")).await.unwrap();
}
