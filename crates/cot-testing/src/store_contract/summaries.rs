//! Checks of run summaries.

use std::time::Duration;

use cot_engine::Event;
use cot_model::Usage;
use cot_store::{EventRecord, Origin, Record, RunFilter, RunId, RunSummary, Status, Store};

use super::{
    records::{
        answered, asking, at, delta_step, ended, fork, full_step, in_the_millisecond_of, key,
        replied, running, sleeping, started, started_at, wake_up, with_time,
    },
    support::{append, create_run, entries, fail, id, ok},
};

async fn summary(store: &dyn Store, run: &RunId) -> RunSummary {
    match ok(store.run(run).await, "load a summary") {
        Some(summary) => summary,
        None => fail(&format!("the run `{run}` is missing")),
    }
}

pub(super) async fn match_the_journal(store: &dyn Store) {
    let (run, lease) = create_run(store, "seen", vec![started()]).await;
    let mut expected = RunSummary::new(run.clone(), "Process".to_owned(), running("start"), at(0));
    expected.is_driven = true;
    assert_eq!(summary(store, &run).await, expected, "after the beginning");

    append(store, &lease, vec![replied("a#1@1", "x"), delta_step(3, ended())]).await;
    expected.status = ended();
    expected.steps = 3;
    expected.usage = Usage::for_call(300, 30).cached(180, 90).reasoning(12).cost(0.1);
    (expected.entries, expected.updated) = (3, at(3));
    assert_eq!(summary(store, &run).await, expected, "after a step");

    append(store, &lease, vec![replied("a#1@1", "x")]).await;
    (expected.entries, expected.updated) = (4, at(2));
    assert_eq!(summary(store, &run).await, expected, "after an event");
    drop(lease);
    expected.is_driven = false;
    assert_eq!(summary(store, &run).await, expected, "after the lease");
    let listed = ok(store.runs(&RunFilter::default()).await, "list runs");
    assert_eq!(listed, [expected], "the list has the same summary");
}

/// An invalid price does not make a run unreadable.
pub(super) async fn ignore_invalid_costs(store: &dyn Store) {
    for (step, cost) in [(1, f64::NAN), (2, -1.0), (3, f64::INFINITY)] {
        let mut records = vec![started(), replied("a#1@1", "x"), full_step(step)];
        let expected = Usage { cost, ..Usage::for_call(1, 1) } + Usage::default();
        for record in &mut records {
            match record {
                Record::Step(step) => step.usage = Usage { cost, ..Usage::for_call(1, 1) },
                Record::Event(EventRecord { event: Event::Replied { reply, .. }, .. }) => {
                    reply.usage.cost = cost;
                }
                _ => {}
            }
        }
        let (run, _lease) = create_run(store, &format!("odd-{step}"), records).await;
        assert_eq!(summary(store, &run).await.usage, expected, "a cost of {cost}");
        assert_eq!(entries(store, &run).await.len(), 3, "a cost of {cost}");
    }
}

pub(super) async fn follow_events(store: &dyn Store) {
    let (run, lease) =
        create_run(store, "asking", vec![started(), delta_step(1, asking("a#1@1"))]).await;
    append(store, &lease, vec![replied("b#1@1", "x"), wake_up()]).await;
    assert_eq!(
        summary(store, &run).await.status,
        asking("a#1@1"),
        "a result of another call does not change the status"
    );
    append(store, &lease, vec![answered("a#1@1")]).await;
    assert_eq!(summary(store, &run).await.status, running("a"), "an answer ends the question");
    append(store, &lease, vec![delta_step(2, sleeping())]).await;
    assert_eq!(summary(store, &run).await.status, sleeping());
    append(store, &lease, vec![wake_up()]).await;
    assert_eq!(summary(store, &run).await.status, running("later"), "a wake-up ends the sleep");
}

pub(super) async fn are_filtered(store: &dyn Store) {
    let runs: [(&str, Record, Status); 4] = [
        ("one", started_at(10, "A"), running("x")),
        ("two", started_at(20, "B"), asking("x#1@1")),
        ("three", started_at(30, "A"), ended()),
        ("four", started_at(40, "a"), sleeping()),
    ];
    for (step, (name, first, status)) in (100..).zip(runs) {
        let step = if name == "four" { 50 } else { step };
        drop(create_run(store, name, vec![first, delta_step(step, status)]).await);
    }
    let listed = async |change: fn(&mut RunFilter)| {
        let mut filter = RunFilter::default();
        change(&mut filter);
        let runs = ok(store.runs(&filter).await, "list runs");
        runs.into_iter().map(|run| run.run.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(listed(|_| ()).await, ["four", "three", "two", "one"], "the newest runs come first");
    assert_eq!(listed(|f| f.process = Some("A".to_owned())).await, ["three", "one"]);
    assert_eq!(listed(|f| f.process = Some("%".to_owned())).await, [""; 0]);
    assert_eq!(listed(|f| f.is_ended = Some(true)).await, ["three"]);
    assert_eq!(listed(|f| f.is_ended = Some(false)).await, ["four", "two", "one"]);
    assert_eq!(listed(|f| f.is_asking = Some(true)).await, ["two"]);
    assert_eq!(listed(|f| f.is_asking = Some(false)).await, ["four", "three", "one"]);
    assert_eq!(listed(|f| f.updated_before = Some(at(102))).await, ["four", "two", "one"]);
    assert_eq!(listed(|f| f.updated_before = Some(at(100))).await, ["four"]);
    assert_eq!(listed(|f| f.limit = Some(2)).await, ["four", "three"]);
    assert_eq!(listed(|f| f.limit = Some(0)).await, [""; 0]);
    let both = |f: &mut RunFilter| {
        (f.process, f.is_ended, f.limit) = (Some("A".to_owned()), Some(false), Some(5));
    };
    assert_eq!(listed(both).await, ["one"], "filters are combined");
}

/// Runs of the same millisecond have the same age.
pub(super) async fn count_in_milliseconds(store: &dyn Store) {
    for (name, nanoseconds) in [("one", 900_000), ("two", 1), ("three", 500_000)] {
        let time = in_the_millisecond_of(7, nanoseconds);
        let records = [started(), full_step(1)].map(|record| with_time(record, time));
        let (run, _lease) = create_run(store, name, records.to_vec()).await;
        let seen = summary(store, &run).await;
        assert_eq!((seen.begun, seen.updated), (at(7), at(7)), "times are rounded down");
    }
    let listed = async |before| {
        let mut filter = RunFilter::default();
        filter.updated_before = before;
        let runs = ok(store.runs(&filter).await, "list runs");
        runs.into_iter().map(|run| run.run.to_string()).collect::<Vec<_>>()
    };
    let all = ["three", "two", "one"];
    assert_eq!(listed(None).await, all, "of the same age, the one that was added last comes first");
    for nanoseconds in [0, 600_000, 999_999] {
        let before = in_the_millisecond_of(7, nanoseconds);
        assert_eq!(listed(Some(before)).await, [""; 0], "none is older than its own millisecond");
    }
    assert_eq!(listed(Some(at(7) + Duration::from_millis(1))).await, all);
}

pub(super) async fn describe_forks(store: &dyn Store) {
    let origin = Origin { run: id("first"), steps: 4 };
    let (run, lease) = create_run(store, "fork", vec![fork(origin.clone())]).await;
    let seen = summary(store, &run).await;
    assert_eq!(seen.origin, Some(origin.clone()), "a fork has its origin");
    assert_eq!(seen.steps, 4, "the steps before the fork count");
    assert_eq!(
        seen.usage,
        Usage { calls: 2, ..Usage::for_call(30, 4) },
        "the usage before the fork counts"
    );
    append(store, &lease, vec![full_step(5), delta_step(6, asking("a#1@1"))]).await;
    let seen = summary(store, &run).await;
    assert_eq!((seen.origin, seen.steps), (Some(origin), 6));
    ok(store.put_answer(&run, &key("a#1@1"), true.into()).await, "answer a fork");
    assert_eq!(entries(store, &run).await.len(), 3, "an answer is not an entry");
}
