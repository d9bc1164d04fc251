//! Checks of lists of runs: filters, orders and pages.

use cot_model::Usage;
use cot_store::{
    EndKind, Record, RunFilter, RunOrder, SetAside, Status, StatusKind, Store, Submission,
};
use serde_json::json;

use super::{
    records::{asking, at, delta_step, running, sleeping, started_at},
    support::{acquire, append, create_run, id, ok},
};

/// Stores seven runs, in the order of their names.
async fn fill(store: &dyn Store) {
    let done = |why: &str| Status::Ended {
        task: "done".to_owned(),
        how: if why.is_empty() { EndKind::End } else { EndKind::Halted },
        why: why.to_owned(),
    };
    let mut open_end = asking("approve#1@1");
    if let Status::Asking { question, until, .. } = &mut open_end {
        (*question, *until) = ("May ÖRE 50%_ be paid?".to_owned(), None);
    }
    let runs = [
        ("a-1", 10, "Orders", running("draft"), 5, 0.5),
        ("b-2", 30, "Orders", asking("review#1@1"), 9, 2.0),
        ("c-3", 20, "Letters", open_end, 7, 0.0),
        ("d-4", 40, "Letters", done(""), 3, 1.0),
        ("e-5", 40, "Orders", done("no ink \\ left"), 8, 1.5),
        ("f-6", 5, "Orders", sleeping(), 2, 0.25),
    ];
    for (name, begun, process, status, steps, cost) in runs {
        let mut step = delta_step(steps, status);
        if let Record::Step(step) = &mut step {
            (step.at, step.usage) = (at(100 + steps), Usage { cost, ..Usage::for_call(1, 1) });
        }
        drop(create_run(store, name, vec![started_at(begun, process), step]).await);
    }
    let queued = ok(Submission::new("Letters", &json!(null), at(50)), "write a state as JSON");
    ok(store.submit(queued.run_id(id("g-7"))).await, "submit a run");
    let lease = acquire(store, &id("f-6")).await;
    ok(store.set_aside(&lease, SetAside::new("it crashed", at(200))).await, "set a run aside");
}

/// Lists the first letters of the names of the runs that a filter matches, after checking that their number is
/// counted.
async fn listed(store: &dyn Store, change: impl FnOnce(&mut RunFilter)) -> String {
    let mut filter = RunFilter::default();
    change(&mut filter);
    let runs = ok(store.runs(&filter).await, "list runs");
    let mut whole = filter.clone();
    (whole.offset, whole.limit) = (0, None);
    let all = ok(store.runs(&whole).await, "list runs").len();
    let count = ok(store.count(&filter).await, "count runs");
    assert_eq!(count, all as u64, "the offset and the limit don't change the number of runs");
    runs.iter().filter_map(|run| run.run.as_str().chars().next()).collect()
}

pub(super) async fn are_filtered(store: &dyn Store) {
    fill(store).await;
    let searched = async |text: &str| listed(store, |f| f.search = Some(text.to_owned())).await;
    assert_eq!(listed(store, |f| f.task = Some("review".to_owned())).await, "b");
    assert_eq!(listed(store, |f| f.task = Some(String::new())).await, "g", "it is at no task");
    assert_eq!(listed(store, |f| f.status = vec![StatusKind::Halted]).await, "e");
    let both = vec![StatusKind::Queued, StatusKind::Asking];
    assert_eq!(listed(store, |f| f.status = both).await, "gbc");
    assert_eq!(searched("LETTERS").await, "gdc", "the process is searched");
    assert_eq!(searched("B-").await, "b", "the name is searched");
    assert_eq!(searched("RAF").await, "a", "the task is searched");
    assert_eq!(searched("öre 50%_").await, "c", "the question is searched");
    assert_eq!(searched("NO ink \\").await, "e", "the reason of the ending is searched");
    assert_eq!(searched("5__").await, "", "a text is no pattern");
    assert_eq!(searched("").await, "gedbcaf", "every text contains the empty one");
    assert_eq!(listed(store, |f| f.begun_after = Some(at(30))).await, "gedb");
    assert_eq!(listed(store, |f| f.begun_before = Some(at(30))).await, "caf");
    assert_eq!(listed(store, |f| f.updated_after = Some(at(108))).await, "eb");
    assert_eq!(listed(store, |f| f.min_cost = Some(1.0)).await, "edb");
    assert_eq!(listed(store, |f| f.max_cost = Some(0.25)).await, "gcf");
    let all = |f: &mut RunFilter| {
        (f.process, f.search) = (Some("Orders".to_owned()), Some("e".to_owned()));
        (f.min_cost, f.is_ended) = (Some(0.5), Some(false));
        (f.begun_after, f.updated_before) = (Some(at(20)), Some(at(300)));
    };
    assert_eq!(listed(store, all).await, "b", "filters are combined");
}

pub(super) async fn are_ordered(store: &dyn Store) {
    fill(store).await;
    for (order, expected) in [
        (RunOrder::NewestFirst, "gedbcaf"),
        (RunOrder::OldestFirst, "facbdeg"),
        (RunOrder::RecentlyUpdated, "becadfg"),
        (RunOrder::LeastRecentlyUpdated, "gfdaceb"),
        (RunOrder::MostExpensive, "bedafgc"),
        (RunOrder::Cheapest, "gcfadeb"),
        (RunOrder::MostSteps, "becadfg"),
        (RunOrder::FewestSteps, "gfdaceb"),
        (RunOrder::ByName, "abcdefg"),
        (RunOrder::AttentionFirst, "bcfgeda"),
    ] {
        assert_eq!(listed(store, |f| f.order = order).await, expected, "{order:?}");
        let open = listed(store, |f| (f.order, f.is_ended) = (order, Some(false))).await;
        let is_open = |name: &char| !"de".contains(*name);
        assert_eq!(open, expected.chars().filter(is_open).collect::<String>(), "{order:?}");
    }
}

pub(super) async fn have_pages(store: &dyn Store) {
    fill(store).await;
    for order in [RunOrder::NewestFirst, RunOrder::AttentionFirst, RunOrder::ByName] {
        let all = listed(store, |f| f.order = order).await;
        for (offset, limit) in [(0, 3), (2, 3), (3, 4), (5, 9), (7, 1), (usize::MAX, 1)] {
            let page =
                |f: &mut RunFilter| (f.order, f.offset, f.limit) = (order, offset, Some(limit));
            let expected: String = all.chars().skip(offset).take(limit).collect();
            assert_eq!(listed(store, page).await, expected, "{order:?} from {offset}, {limit}");
        }
        let rest = listed(store, |f| (f.order, f.offset) = (order, 2)).await;
        assert_eq!(rest, all.chars().skip(2).collect::<String>(), "without a limit");
    }
}

/// A step of a run changes its place in the lists.
pub(super) async fn follow_the_runs(store: &dyn Store) {
    fill(store).await;
    let lease = acquire(store, &id("b-2")).await;
    append(store, &lease, vec![delta_step(10, running("paid"))]).await;
    assert_eq!(listed(store, |f| f.order = RunOrder::AttentionFirst).await, "cfgedba");
    assert_eq!(listed(store, |f| f.search = Some("PAID".to_owned())).await, "bc");
    assert_eq!(listed(store, |f| f.task = Some("review".to_owned())).await, "");
    drop(lease);
    ok(store.remove(&id("b-2")).await, "remove a run");
    assert_eq!(listed(store, |f| f.search = Some("a".to_owned())).await, "caf");
}
