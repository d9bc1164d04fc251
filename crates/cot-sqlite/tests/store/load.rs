//! Many runs, many readers, much text.

use cot_core::store::{RunFilter, Store};
use futures_util::future::join_all;

use crate::kit::{Place, begun, changed, ended, entries, id, replied, run_of, text, whole};

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_runs_at_once() {
    let place = Place::new();
    let store = place.open();
    let drive = async |number: usize| {
        let (run, lease) = run_of(&store, &format!("run-{number}"), vec![begun()]).await;
        for step in 1..=5 {
            let reply = replied("task#1@1", &format!("{number} {step}"), &format!("{number}"));
            store.append(&lease, vec![reply, changed(step)]).await.unwrap();
        }
        store.append(&lease, vec![whole(6, ended())]).await.unwrap();
        assert_eq!(entries(&store, &run).await.len(), 12);
    };
    join_all((0..1000).map(drive)).await;
    assert_eq!(store.runs(&RunFilter::default()).await.unwrap().len(), 1000);
    drop(store);

    let store = place.open();
    for number in [0, 500, 999] {
        let entries = entries(&store, &id(&format!("run-{number}"))).await;
        let reply = replied("task#1@1", &format!("{number} 5"), &format!("{number}"));
        assert_eq!(text(&entries[9].record), text(&reply));
    }
}

/// Waiting appends are committed together; one without a valid lease fails alone.
#[tokio::test]
async fn the_failure_of_one_is_not_that_of_others() {
    let place = Place::new();
    let store = place.open();
    let (_, bad) = run_of(&store, "bad", vec![begun()]).await;
    let mut leases = Vec::new();
    for number in 0..20 {
        leases.push(run_of(&store, &format!("good-{number}"), vec![begun()]).await.1);
    }
    let good = join_all(leases.iter().map(|lease| store.append(lease, vec![changed(1)])));
    let also = join_all(leases.iter().map(|lease| store.append(lease, vec![changed(2)])));
    let (good, refused, also) =
        tokio::join!(good, store.append(&bad, vec![changed(1), begun()]), also);
    assert!(refused.is_err());
    assert!(good.into_iter().chain(also).all(|added| added.is_ok()));
    assert_eq!(entries(&store, &id("bad")).await.len(), 1);
    assert_eq!(entries(&store, &id("good-19")).await.len(), 3);
}

#[tokio::test]
async fn ten_megabytes() {
    let place = Place::new();
    let store = place.open();
    let record = replied("task#1@1", &"ä\n".repeat(3_000_000), &"\"quoted\" ".repeat(1_000_000));
    let (run, _lease) = run_of(&store, "large", vec![begun(), record.clone()]).await;
    assert_eq!(text(&entries(&store, &run).await[1].record), text(&record));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_read_while_one_writes() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    let write = async {
        for step in 1..=200 {
            store.append(&lease, vec![replied("a#1@1", "x", "y"), changed(step)]).await.unwrap();
        }
    };
    let read = async |_| {
        let mut last = 0;
        while last < 401 {
            let entries = entries(&store, &run).await;
            let numbers: Vec<u64> = entries.iter().map(|entry| entry.number).collect();
            assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
            assert!(numbers.len() % 2 == 1, "an append is seen whole or not at all");
            assert!(numbers.len() >= last, "what was read once stays");
            last = numbers.len();
        }
    };
    tokio::join!(write, join_all((0..8).map(read)));
}

/// A dropped future neither undoes its write nor keeps the lease of a run.
#[tokio::test]
async fn dropped_futures_leave_nothing_taken() {
    use futures_util::FutureExt;
    let place = Place::new();
    let store = place.open();
    let run = id("run");
    // Polled once, and rarely done by then.
    drop(store.acquire(&run).now_or_never());
    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, vec![begun()]).await.unwrap();
    drop(store.append(&lease, vec![changed(1)]).now_or_never());
    store.append(&lease, vec![changed(2)]).await.unwrap();
    assert_eq!(entries(&store, &run).await.len(), 3);
}
