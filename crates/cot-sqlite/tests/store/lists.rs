//! Lists of runs: the same as those of a store in memory, for every filter and order.

use std::time::Duration;

use cot_core::store::{
    CancelRequest, EndKind, MemoryStore, Record, RunFilter, RunOrder, RunStarted, RunSummary,
    SetAside, Status, StatusKind, Store,
};
use serde_json::json;

use crate::kit::{Place, at, begun, changed, id, replied, running, whole};

const ORDERS: [RunOrder; 10] = [
    RunOrder::NewestFirst,
    RunOrder::OldestFirst,
    RunOrder::RecentlyUpdated,
    RunOrder::LeastRecentlyUpdated,
    RunOrder::MostExpensive,
    RunOrder::Cheapest,
    RunOrder::MostSteps,
    RunOrder::FewestSteps,
    RunOrder::ByName,
    RunOrder::AttentionFirst,
];

/// The journal of a run, by its number.
fn journal(number: u64) -> Vec<Record> {
    let Record::Begun(first) = begun() else { panic!("it begins") };
    let process = ["Letters", "Orders", "Märchen"][number as usize % 3].to_owned();
    let first = RunStarted { at: at(number / 2), process, ..first };
    let steps = number * 7 % 11 + 1;
    let status = match number % 8 {
        0 | 1 => running(),
        2 => ended(EndKind::End, ""),
        3 => ended(EndKind::Fail, "the \"customer\" is ÄRGERLICH\nand left"),
        4 => ended(EndKind::Halted, "the budget is used up"),
        5 => asking(&format!("Send it to customer {number}?"), None),
        6 => asking("Darf ich?", Some(1_700_000_900_000 - number)),
        _ => Status::Sleeping { task: "wait".to_owned(), until: at(900) },
    };
    let mut records = vec![Record::Begun(first), whole(steps, status)];
    if let Record::Step(step) = &mut records[1] {
        step.usage = step.usage.cost((number % 5) as f64 * 0.25);
        step.at = at(100 + number * 13 % 40);
    }
    records
}

/// What makes the row of a running run older than its journal.
fn newer(number: u64) -> Vec<Record> {
    let mut records = vec![changed(20 + number), replied("far#1@1", "x", "{}")];
    if let [Record::Step(step), Record::Event(event)] = &mut *records {
        (step.at, event.at) = (at(200 + number), at(200 + number));
        step.status = Status::Running { task: "far".to_owned() };
        step.usage = step.usage.cost(9.0 + number as f64);
    }
    records
}

fn ended(how: EndKind, why: &str) -> Status {
    Status::Ended { task: "done".to_owned(), how, why: why.to_owned() }
}

fn asking(question: &str, until: Option<u64>) -> Status {
    let status = json!({ "status": "asking", "task": "approve", "key": "approve#1@1", "question": question,
        "schema": { "title": "no question has this" }, "since": 1_700_000_000_000_u64, "until": until });
    serde_json::from_value(status).unwrap()
}

const RUNS: u64 = 48;

/// Fills a store. Every second running run has a row that is behind.
async fn fill(store: &dyn Store) {
    for number in 0..RUNS {
        let run = id(&format!("run-{:02}", number * 29 % RUNS));
        let lease = store.acquire(&run).await.unwrap();
        store.append(&lease, journal(number)).await.unwrap();
        match number {
            n if n % 16 == 0 || n % 16 == 9 => {
                store.append(&lease, newer(n)).await.unwrap();
            }
            n if n % 10 == 7 => {
                store.set_aside(&lease, SetAside::new("it is poison", at(500))).await.unwrap();
            }
            n if n % 12 == 5 => {
                let request = CancelRequest::new("enough", at(600));
                store.request_cancel(&run, request).await.unwrap();
            }
            _ => {}
        }
    }
}

fn filters() -> Vec<RunFilter> {
    let filter = |change: &dyn Fn(&mut RunFilter)| {
        let mut filter = RunFilter::default();
        change(&mut filter);
        filter
    };
    let text = |text: &str| Some(text.to_owned());
    let mut filters = vec![
        filter(&|_| {}),
        filter(&|all| all.process = text("Orders")),
        filter(&|all| all.process = text("nothing of this name")),
        filter(&|all| all.task = text("far")),
        filter(&|all| all.task = text("approve")),
        filter(&|all| all.status = vec![StatusKind::Asking]),
        filter(&|all| all.status = vec![StatusKind::Running, StatusKind::Fail]),
        filter(&|all| all.status = StatusKind::ALL.to_vec()),
        filter(&|all| all.is_ended = Some(true)),
        filter(&|all| all.is_ended = Some(false)),
        filter(&|all| all.is_asking = Some(true)),
        filter(&|all| all.is_asking = Some(false)),
        filter(&|all| all.is_set_aside = Some(true)),
        filter(&|all| all.is_set_aside = Some(false)),
        filter(&|all| (all.begun_after, all.begun_before) = (Some(at(5)), Some(at(17)))),
        filter(&|all| all.updated_after = Some(at(120))),
        filter(&|all| all.updated_before = Some(at(120) + Duration::from_micros(900))),
        filter(&|all| all.min_cost = Some(0.5)),
        filter(&|all| all.max_cost = Some(0.25)),
        filter(&|all| all.min_cost = Some(f64::NAN)),
        filter(&|all| {
            (all.process, all.is_ended, all.min_cost) = (text("Letters"), Some(true), Some(0.25));
        }),
        filter(&|all| (all.is_asking, all.is_set_aside) = (Some(true), Some(true))),
        filter(&|all| {
            (all.process, all.is_asking) = (text("Orders"), Some(true));
            all.status = vec![StatusKind::Asking];
        }),
    ];
    for searched in [
        "",
        "run-1",
        "MÄRCHEN",
        "customer 5",
        "Ärgerlich\nand",
        "\"customer\"",
        "budget",
        "far",
        "%",
        "_0_",
        "no question has this",
        "run-10\nLetters",
        "nowhere",
    ] {
        filters.push(filter(&|all| all.search = text(searched)));
    }
    filters
}

fn names(runs: &[RunSummary]) -> Vec<&str> {
    runs.iter().map(|run| run.run.as_str()).collect()
}

#[tokio::test]
async fn every_filter_and_order_gives_the_same_as_in_memory() {
    let place = Place::new();
    let (store, memory) = (place.open(), MemoryStore::default());
    fill(&store).await;
    fill(&memory).await;
    let mut matched = 0;
    for mut filter in filters() {
        for order in ORDERS {
            filter.order = order;
            for (offset, limit) in
                [(0, None), (0, Some(5)), (3, Some(4)), (2, None), (40, Some(50))]
            {
                (filter.offset, filter.limit) = (offset, limit);
                let (one, other) = (store.runs(&filter).await, memory.runs(&filter).await);
                let (one, other) = (one.unwrap(), other.unwrap());
                assert_eq!(names(&one), names(&other), "{filter:?}");
                assert_eq!(one, other, "{filter:?}");
                matched += one.len();
            }
            let counts =
                (store.count(&filter).await.unwrap(), memory.count(&filter).await.unwrap());
            assert_eq!(counts.0, counts.1, "{filter:?}");
        }
    }
    assert!(matched > 10_000, "{matched}");
}

/// The pages of a list follow each other without a gap, also where rows are behind their journals.
#[tokio::test]
async fn pages_have_every_run_once() {
    let place = Place::new();
    let store = place.open();
    fill(&store).await;
    for order in ORDERS {
        let mut filter = RunFilter::default();
        filter.order = order;
        let all = store.runs(&filter).await.unwrap();
        let mut pages = Vec::new();
        filter.limit = Some(7);
        while filter.offset < all.len() {
            pages.extend(store.runs(&filter).await.unwrap());
            filter.offset += 7;
        }
        assert_eq!(names(&pages), names(&all), "{order:?}");
        assert_eq!(store.count(&filter).await.unwrap(), RUNS);
    }
}
