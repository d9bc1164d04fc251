//! Answers of people that wait for a driver.

use cot_core::store::Store;
use serde_json::json;

use crate::kit::{Place, answered, asking, begun, key, run_of, whole};

#[tokio::test]
async fn an_answer_outlives_the_store_until_it_is_taken() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun(), whole(1, asking("a#1@1"))]).await;
    store.put_answer(&run, &key("a#1@1"), json!({ "yes": 1 })).await.unwrap();
    drop((lease, store));

    let store = place.open();
    assert_eq!(store.wait_for_answer(&run, &key("a#1@1")).await.unwrap(), json!({ "yes": 1 }));
    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, vec![answered("a#1@1")]).await.unwrap();
    let left: i64 =
        place.sql().query_row("SELECT COUNT(*) FROM answers", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn many_wait_and_each_gets_its_own() {
    let place = Place::new();
    let store = place.open();
    let mut waiting = Vec::new();
    for number in 0..50 {
        let call = format!("a#{number}@1");
        let records = vec![begun(), whole(1, asking(&call))];
        let (run, lease) = run_of(&store, &format!("run-{number}"), records).await;
        let store = store.clone();
        waiting.push(tokio::spawn(async move {
            let _lease = lease;
            store.wait_for_answer(&run, &key(&call)).await.unwrap()
        }));
    }
    // Through another connection, as another program would.
    let other = place.open();
    for number in 0..50 {
        let (run, call) = (crate::kit::id(&format!("run-{number}")), format!("a#{number}@1"));
        other.put_answer(&run, &key(&call), json!(number)).await.unwrap();
    }
    for (number, waiting) in waiting.into_iter().enumerate() {
        assert_eq!(waiting.await.unwrap(), json!(number));
    }
}
