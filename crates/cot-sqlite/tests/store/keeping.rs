//! Maintenance of a store.

use std::fs;

use cot_core::store::{RunFilter, RunId, Store, StoreError};
use cot_sqlite::SqliteStore;

use crate::kit::{
    Place, at, begun, changed, describe_panic, ended, entries, growing, id, replied, run_of, text,
    whole,
};

fn count(place: &Place, query: &str) -> i64 {
    place.sql().query_row(query, [], |row| row.get(0)).unwrap()
}

const TEXTS: &str = "SELECT COUNT(*) FROM segments";

#[tokio::test]
async fn old_runs_are_forgotten_with_all_they_said() {
    let place = Place::new();
    let store = place.open();
    let said = |n: u64| replied("a#1@1", &format!("only in {n}"), "reply");
    drop(run_of(&store, "old", vec![begun(), said(1), whole(10, ended())]).await);
    drop(run_of(&store, "new", vec![begun(), said(2), whole(100, ended())]).await);
    drop(run_of(&store, "unfinished", vec![begun(), said(3), changed(10)]).await);
    let held = run_of(&store, "held", vec![begun(), said(4), whole(10, ended())]).await;
    assert_eq!(count(&place, TEXTS), 1, "the fixed text is kept once");

    assert_eq!(store.prune(at(50)).await.unwrap(), 1);
    let left = store.runs(&RunFilter::default()).await.unwrap();
    let mut left: Vec<_> = left.iter().map(|run| run.run.as_str()).collect();
    left.sort_unstable();
    assert_eq!(left, ["held", "new", "unfinished"]);
    assert_eq!(count(&place, TEXTS), 1);
    assert_eq!(count(&place, "SELECT COUNT(*) FROM journal"), 9);
    drop(held);
    assert_eq!(store.prune(at(50)).await.unwrap(), 1);
}

#[tokio::test]
async fn vacuum_drops_unused_texts_and_frees_the_disk() {
    let place = Place::new();
    let store = place.open();
    let large = replied("a#1@1", "x", &"y".repeat(1_000_000));
    drop(run_of(&store, "run", vec![begun(), large]).await);
    store.remove(&id("run")).await.unwrap();
    assert_eq!(count(&place, TEXTS), 1, "the fixed text may be used by others");
    store.vacuum().await.unwrap();
    assert_eq!(count(&place, TEXTS), 0);
    let empty = Place::new();
    empty.open().vacuum().await.unwrap();
    let size = |place: &Place| fs::metadata(&place.path).unwrap().len();
    assert_eq!(size(&place), size(&empty));

    // The removed text is written again.
    let record = replied("a#1@1", "x", "y");
    let (run, _lease) = run_of(&store, "run", vec![begun(), record.clone()]).await;
    assert_eq!(text(&entries(&store, &run).await[1].record), text(&record));
}

/// A document that is in every prompt is stored once.
#[tokio::test]
async fn long_texts_that_come_again_are_kept_once() {
    let place = Place::new();
    let store = place.open();
    let document = "Straße, 東京. ".repeat(1000);
    let said = |n: u64| replied(&format!("a#{n}@1"), &document, "reply");
    let (run, lease) = run_of(&store, "run", vec![begun(), said(1), said(2)]).await;
    store.append(&lease, vec![replied("b#1@1", &document[1..], "reply"), said(3)]).await.unwrap();
    let lengths = "SELECT group_concat(length(texts)) FROM journal WHERE texts IS NOT NULL";
    let lengths: String = place.sql().query_row(lengths, [], |row| row.get(0)).unwrap();
    assert_eq!(lengths, "12000,0,11999,0");
    let shown = "SELECT COUNT(*) FROM prompts WHERE stability != 'fixed' AND text = ?";
    let shown: i64 = place.sql().query_row(shown, [&document], |row| row.get(0)).unwrap();
    assert_eq!(shown, 3);
    let last = entries(&store, &run).await.pop().unwrap();
    assert_eq!(text(&last.record), text(&said(3)));

    let damage = "UPDATE journal SET texts = 'X' || texts WHERE number = 1";
    assert_eq!(place.sql().execute(damage, []).unwrap(), 1);
    for number in [1, 2, 4] {
        let error = store.entries(&run, number, 1).await.unwrap_err();
        assert!(describe_panic(&error).contains("hash"), "{}", describe_panic(&error));
    }
    assert_eq!(store.entries(&run, 3, 1).await.unwrap().len(), 1);
}

/// The history of a run is in each of its prompts, and only ever grows.
#[tokio::test]
async fn a_text_that_grows_is_stored_once() {
    let place = Place::new();
    let store = place.open();
    let history =
        |steps: u64| (0..steps).map(|n| format!("- step {n}: 東京\n")).collect::<String>();
    let said = |n: u64| growing(&format!("a#{n}@1"), &history(100 + n));
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    for n in 0..300 {
        store.append(&lease, vec![said(n)]).await.unwrap();
    }
    let stored = count(&place, "SELECT SUM(length(texts)) FROM journal");
    let once = history(399).chars().count() as i64;
    assert!((once..8 * once).contains(&stored), "{stored} characters for {once}");
    for (entry, n) in entries(&store, &run).await.iter().skip(1).zip(0..) {
        assert_eq!(text(&entry.record), text(&said(n)));
    }
    // The pieces of a text are rows of the view, in order.
    let shown = "SELECT group_concat(text, '') FROM (SELECT text FROM prompts \
        WHERE number = 200 AND stability = 'growing' ORDER BY position)";
    let shown: String = place.sql().query_row(shown, [], |row| row.get(0)).unwrap();
    assert_eq!(shown, history(299));
}

/// Each turn of a conversation has a lease of its own.
#[tokio::test]
async fn a_text_that_grows_is_stored_once_under_many_leases() {
    let place = Place::new();
    let store = place.open();
    let history =
        |steps: u64| (0..steps).map(|n| format!("- step {n}: 東京\n")).collect::<String>();
    let said = |n: u64| growing(&format!("a#{n}@1"), &history(100 + n));
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    drop(lease);
    for n in 0..300 {
        let lease = store.acquire(&run).await.unwrap();
        store.append(&lease, vec![said(n)]).await.unwrap();
    }
    let stored = count(&place, "SELECT SUM(length(texts)) FROM journal");
    let once = history(399).chars().count() as i64;
    assert!((once..8 * once).contains(&stored), "{stored} characters for {once}");
    for (entry, n) in entries(&store, &run).await.iter().skip(1).zip(0..) {
        assert_eq!(text(&entry.record), text(&said(n)));
    }
}

/// A connection's cache of texts is cleared when another program changes them.
#[tokio::test]
async fn another_program_may_drop_texts_meanwhile() {
    let place = Place::new();
    let (one, other) = (place.open(), place.open());
    let record = replied("a#1@1", "x", "y");
    drop(run_of(&one, "first", vec![begun(), record.clone()]).await);
    // The lease is released in the background; the next task comes after that.
    drop(one.acquire(&id("another")).await.unwrap());
    other.remove(&id("first")).await.unwrap();
    other.vacuum().await.unwrap();
    let (run, _lease) = run_of(&one, "second", vec![begun(), record.clone()]).await;
    assert_eq!(text(&entries(&one, &run).await[1].record), text(&record));
}

#[tokio::test]
async fn a_backup_is_a_store_of_its_own() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun(), replied("a#1@1", "x", "y")]).await;
    let copy = place.path.with_extension("copy");
    store.back_up(&copy).await.unwrap();
    store.append(&lease, vec![changed(1)]).await.unwrap();
    assert!(describe_panic(&store.back_up(&copy).await.unwrap_err()).contains("already exists"));

    let copy = SqliteStore::open(&copy).unwrap();
    assert_eq!(entries(&copy, &run).await.len(), 2);
    assert!(!copy.run(&run).await.unwrap().unwrap().is_driven);
    let copied = copy.acquire(&run).await.unwrap();
    copy.append(&copied, vec![changed(1)]).await.unwrap();
}

#[tokio::test]
async fn the_log_does_not_grow_without_end() {
    let place = Place::new();
    let store = place.open();
    let (_, lease) = run_of(&store, "run", vec![begun()]).await;
    for _ in 0..60 {
        let reply = replied("a#1@1", "x", &"y".repeat(1_000_000));
        store.append(&lease, vec![reply]).await.unwrap();
    }
    let log = fs::metadata(place.path.with_extension("db-wal")).unwrap().len();
    assert!(log < 30_000_000, "{log} bytes");
}

/// The log can't restart while a reader needs a part of it.
#[tokio::test]
async fn a_slow_reader_stops_no_run_and_the_log_shrinks_after_it() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    let reader = place.sql();
    reader.execute_batch("BEGIN; SELECT COUNT(*) FROM runs").unwrap();
    let append = async || {
        let reply = replied("a#1@1", "x", &"y".repeat(1_000_000));
        store.append(&lease, vec![reply]).await.unwrap();
    };
    let log_bytes = || fs::metadata(place.path.with_extension("db-wal")).unwrap().len();
    for _ in 0..40 {
        append().await;
    }
    assert!(log_bytes() > 40_000_000, "{} bytes", log_bytes());

    reader.execute_batch("COMMIT").unwrap();
    append().await;
    append().await;
    assert!(log_bytes() < 30_000_000, "{} bytes", log_bytes());
    assert_eq!(store.run(&run).await.unwrap().unwrap().entries, 43);
}

#[tokio::test]
async fn nothing_is_left_beside_a_closed_store() {
    let place = Place::new();
    let store = place.open();
    let (_, lease) = run_of(&store, "run", vec![begun()]).await;
    drop((lease, store));
    let left = fs::read_dir(place.path.parent().unwrap()).unwrap();
    let mut left: Vec<_> = left.map(|file| file.unwrap().file_name()).collect();
    left.sort_unstable();
    assert_eq!(left, ["runs.db", "runs.db.owners"]);
    assert_eq!(place.owners(), 0);
}

/// Returns the hash of the last entry.
async fn last_hash(store: &SqliteStore, run: &RunId) -> String {
    entries(store, run).await.pop().unwrap().hash.unwrap().to_string()
}

/// An entry stands for all before it, so that what was changed without the store is noticed.
#[tokio::test]
async fn entries_are_chained() {
    let records = || vec![begun(), replied("a#1@1", "Ä", "reply"), changed(1), changed(2)];
    let (place, other) = (Place::new(), Place::new());
    let (store, other) = (place.open(), other.open());
    let (run, lease) = run_of(&store, "run", records()).await;
    let hash = last_hash(&store, &run).await;
    let (same, _lease) = run_of(&other, "another", records()).await;
    assert_eq!(last_hash(&other, &same).await, hash, "it depends on the entries alone");

    // Another lease continues the chain, and a tail that is cut leaves the rest of it as it was.
    drop(lease);
    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, vec![changed(3)]).await.unwrap();
    assert_ne!(last_hash(&store, &run).await, hash);
    drop(lease);
    store.cut(&run, 4).await.unwrap();
    assert_eq!(last_hash(&store, &run).await, hash);
    store.prune(std::time::SystemTime::now()).await.unwrap();
    store.vacuum().await.unwrap();
    drop(store);
    let store = place.open();
    assert_eq!(last_hash(&store, &run).await, hash);

    let refused = async |damage: &str, number: u64| {
        let copy = Place::new();
        store.back_up(&copy.path).await.unwrap();
        copy.sql().execute_batch(damage).unwrap();
        let store = copy.open();
        let error = store.entries(&run, 0, 9).await.unwrap_err();
        assert!(
            matches!(error, StoreError::Corrupt { entry, .. } if entry == number),
            "{damage}: {error}"
        );
        store.entries(&run, number + 1, 9).await
    };
    for (damage, number) in [
        ("UPDATE journal SET at = at + 1 WHERE number = 2", 2),
        ("UPDATE journal SET engine = 'other' WHERE number = 1", 1),
        ("UPDATE journal SET program = '2.0.0' WHERE number = 1", 1),
        ("UPDATE journal SET hash = zeroblob(32) WHERE number = 1", 1),
        ("DELETE FROM journal WHERE number = 2", 3),
        ("UPDATE segments SET sum = sum + 1", 1),
    ] {
        let _ = refused(damage, number).await;
    }
    // What follows an entry that was changed can be read.
    let rest = refused("UPDATE journal SET reply = 'other' WHERE number = 1", 1).await.unwrap();
    assert_eq!(rest.len(), 2);
}
