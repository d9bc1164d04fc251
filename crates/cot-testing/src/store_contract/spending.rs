//! Checks of what runs have spent.

use std::time::SystemTime;

use cot_model::Usage;
use cot_store::{Day, Origin, Record, Spending, SpendingFilter, Store};

use super::{
    records::{
        all_events, asking, at, delta_step, ended, fork, full_step, key, replied, started,
        started_at, with_time,
    },
    support::{append, create_run, entries, id, ok},
};

async fn spending(store: &dyn Store) -> Vec<Spending> {
    ok(store.spending(&SpendingFilter::default()).await, "read what was spent")
}

fn next_day() -> SystemTime {
    at(24 * 60 * 60)
}

/// Returns the rows of these records, without the help of a store.
fn summed(records: &[(&str, Record)]) -> Vec<Spending> {
    let mut rows: Vec<Spending> = Vec::new();
    let added = records.iter().flat_map(|(process, record)| Spending::from_record(process, record));
    for added in added {
        match rows.iter_mut().find(|row| row.compare(&added).is_eq()) {
            Some(row) => row.add(&added),
            None => rows.push(added),
        }
    }
    rows.sort_by(Spending::compare);
    rows
}

pub(super) async fn is_summed(store: &dyn Store) {
    assert_eq!(spending(store).await, [], "nothing was spent yet");

    let first: Vec<Record> =
        [started()].into_iter().chain(all_events()).chain([full_step(1)]).collect();
    let second = vec![
        started_at(5, "Other"),
        replied("a#1@1", "x"),
        replied("a#1@1+round-1", "x"),
        with_time(replied("a#1@2", "x"), next_day()),
        with_time(full_step(2), next_day()),
    ];
    let third = vec![started(), replied("a#4@1", "x"), replied("b#1/a#1@2", "x")];
    let mut expected = Vec::new();
    for (name, process, records) in
        [("one", "Process", first), ("two", "Other", second), ("three", "Process", third)]
    {
        expected.extend(records.iter().map(|record| (process, record.clone())));
        let (begun, later) = records.split_at(1);
        let (_, lease) = create_run(store, name, begun.to_vec()).await;
        let (early, late) = later.split_at(later.len() / 2);
        append(store, &lease, early.to_vec()).await;
        append(store, &lease, late.to_vec()).await;
    }
    let expected = summed(&expected);
    assert_eq!(spending(store).await, expected, "the rows are the sums of those of the records");
    let usage = expected.iter().map(|row| row.usage).fold(Usage::default(), |a, b| a + b);
    assert_eq!((usage.calls, usage.cost), (6, 1.5), "each call counts once");

    let filtered = async |change: fn(&mut SpendingFilter)| {
        let mut filter = SpendingFilter::default();
        change(&mut filter);
        let rows = ok(store.spending(&filter).await, "read what was spent");
        let matching = expected.iter().filter(|row| filter.matches(row)).cloned();
        assert_eq!(rows, matching.collect::<Vec<_>>(), "{filter:?}");
        rows.len()
    };
    assert!(filtered(|f| f.process = Some("Other".to_owned())).await > 0);
    assert_eq!(filtered(|f| f.process = Some("other".to_owned())).await, 0);
    assert!(filtered(|f| f.from = Some(Day::from_time(next_day()))).await > 0);
    assert!(filtered(|f| f.until = Some(Day::from_time(at(0)))).await > 0);
    assert_eq!(filtered(|f| f.until = Some(Day::from_time(at(0)).previous())).await, 0);
}

/// Neither a fork nor a removal changes what was spent.
pub(super) async fn is_kept(store: &dyn Store) {
    let (run, lease) =
        create_run(store, "first", vec![started(), replied("a#1@1", "x"), full_step(4)]).await;
    let before = spending(store).await;
    drop(create_run(store, "fork", vec![fork(Origin { run: run.clone(), steps: 4 })]).await);
    assert_eq!(spending(store).await, before, "the shared steps of a fork count once");
    append(store, &lease, vec![delta_step(5, asking("a#1@2"))]).await;
    let before = spending(store).await;
    drop(lease);
    ok(store.put_answer(&run, &key("a#1@2"), true.into()).await, "answer");
    ok(store.remove(&run).await, "remove a run");
    assert_eq!(spending(store).await, before, "what a removed run has spent still counts");
    // A run of the same name spends again.
    let (run, lease) = create_run(store, "first", vec![started(), replied("a#1@1", "x")]).await;
    append(store, &lease, vec![delta_step(1, ended())]).await;
    assert_eq!(entries(store, &run).await.len(), 3);
    let calls = |rows: &[Spending]| rows.iter().map(|row| row.usage.calls).sum::<u64>();
    assert_eq!(calls(&spending(store).await), calls(&before) + 1);
}

/// Records that are refused cost nothing.
pub(super) async fn is_of_appended_records(store: &dyn Store) {
    let (_, lease) = create_run(store, "one", vec![started()]).await;
    let refused = store.append(&lease, vec![replied("a#1@1", "x"), started()]).await;
    assert!(refused.is_err(), "a run begins once");
    assert_eq!(spending(store).await, []);
    let lost = ok(store.acquire(&id("never")).await, "acquire a run");
    assert!(store.append(&lost, vec![replied("a#1@1", "x")]).await.is_err());
    assert_eq!(spending(store).await, []);
}
