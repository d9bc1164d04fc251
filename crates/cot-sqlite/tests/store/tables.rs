//! The tables and views that people query.

use std::time::SystemTime;

use cot_core::{
    model::Blob,
    store::{Record, SetAside, Store as _},
};

use crate::kit::{Place, asking, begun, ended, replied, run_of, whole};

const PAGE: &str = include_str!("../../docs/tables.md");

/// Runs the queries of the page, so that it can't deviate from the schema.
#[tokio::test]
async fn every_query_of_the_page_gives_rows() {
    let place = Place::new();
    let store = place.open();
    let said = || replied("draft#1@1", "x", "a reply");
    drop(run_of(&store, "order-17", vec![begun(), said(), whole(1, ended())]).await);
    drop(run_of(&store, "order-18", vec![begun(), whole(1, asking("approve#1@1"))]).await);
    let mut with_image = begun();
    if let Record::Begun(begun) = &mut with_image {
        begun.blobs = [Blob::new(*b"an image")].into_iter().collect();
    }
    drop(run_of(&store, "order-19", vec![with_image]).await);
    let (_, lease) = run_of(&store, "order-20", vec![begun()]).await;
    let reason = SetAside::new("its journal is damaged", SystemTime::UNIX_EPOCH);
    store.set_aside(&lease, reason).await.unwrap();
    let queries: Vec<&str> =
        PAGE.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(queries.len() > 5);
    let connection = place.sql();
    for query in queries {
        let mut statement = connection.prepare(query).unwrap_or_else(|e| panic!("{query}: {e}"));
        let mut rows = statement.query([]).unwrap();
        assert!(rows.next().unwrap().is_some(), "no rows: {query}");
    }
}

#[tokio::test]
async fn calls_and_questions_are_told() {
    let place = Place::new();
    let store = place.open();
    let records = vec![begun(), replied("draft#1@2", "x", "a reply"), whole(3, asking("ok#1@1"))];
    let (_run, _lease) = run_of(&store, "run", records).await;
    let sql = place.sql();
    let call = "SELECT run || ' ' || task || ' ' || attempt || ' ' || engine || ' ' || reply || ' ' \
                || millis || ' ' || input_tokens || ' ' || cached_tokens || ' ' \
                || cache_write_tokens || ' ' || reasoning_tokens || ' ' || cost FROM calls";
    let call: String = sql.query_row(call, [], |row| row.get(0)).unwrap();
    assert_eq!(call, "run draft 2 large a reply 1500 100 60 0 4 0.25");
    let prompt = "SELECT group_concat(text, '|') FROM prompts WHERE run = 'run' AND number = 1";
    let prompt: String = sql.query_row(prompt, [], |row| row.get(0)).unwrap();
    assert_eq!(prompt, "Do what the step asks.|x");
    let waiting = "SELECT key || ' ' || question || ' ' || since FROM waiting";
    let waiting: String = sql.query_row(waiting, [], |row| row.get(0)).unwrap();
    assert_eq!(waiting, "ok#1@1 Is it good? 2023-11-14 22:13:20.000");
    let run = "SELECT status || ' ' || steps || ' ' || calls || ' ' || cost FROM runs";
    let run: String = sql.query_row(run, [], |row| row.get(0)).unwrap();
    assert_eq!(run, "asking 3 1 0.25");
}
