use std::time::SystemTime;

use cot_model::{BlobSet, Usage};
use serde_json::{Value, json, value::RawValue};

use super::journal::{RecoveredRun, SnapshotEncoder};
use crate::{
    error::StoreError,
    lease::Lease,
    memory::store::MemoryStore,
    record::{EventRecord, Record, RunStarted, StepRecord, StepSnapshot},
    run_id::RunId,
    status::Status,
    store::Store,
};

fn raw(json: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(json).unwrap()
}

fn running(task: &str) -> Status {
    Status::Running { task: task.to_owned() }
}

fn begun(snapshot: &Value) -> Record {
    Record::Begun(RunStarted {
        at: SystemTime::UNIX_EPOCH,
        process: "Process".to_owned(),
        origin: None,
        snapshot: raw(snapshot),
        blobs: BlobSet::default(),
        status: running("start"),
        trace: None,
    })
}

fn step(steps: u64, progress: StepSnapshot) -> Record {
    Record::Step(StepRecord {
        at: SystemTime::UNIX_EPOCH,
        progress,
        blobs: BlobSet::default(),
        status: running(&format!("task{steps}")),
        timers: Vec::new(),
        steps,
        usage: Usage::for_call(steps, 1),
        notes: Vec::new(),
    })
}

fn event(reason: &str) -> Record {
    let event = cot_engine::Event::Cancelled { reason: reason.to_owned(), calls: 0 };
    Record::Event(EventRecord { at: SystemTime::UNIX_EPOCH, asked: None, event })
}

/// The snapshot of a run after so many steps: a list that grows by one item with each.
fn snapshot(steps: u64) -> Value {
    let item = |i: u64| json!({ "name": format!("field{i}"), "id": i.wrapping_mul(0x9e37_79b9_7f4a_7c15) });
    json!({ "task": format!("task{steps}"), "fields": (0..steps).map(item).collect::<Vec<_>>(), "steps": steps })
}

/// Writes a run of so many steps with an event before each; returns it with its size.
async fn written(steps: u64) -> (MemoryStore, RunId, Lease, usize) {
    let store = MemoryStore::default();
    let run: RunId = "run".parse().unwrap();
    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, vec![begun(&snapshot(0))]).await.unwrap();
    let mut journal = SnapshotEncoder::new(snapshot(0).to_string(), 0);
    let mut size = 0;
    for number in 1..=steps {
        let progress = journal.encode(snapshot(number).to_string(), &[]);
        size += serde_json::to_string(&progress).unwrap().len();
        let records = vec![event(&format!("before {number}")), step(number, progress)];
        store.append(&lease, records).await.unwrap();
    }
    (store, run, lease, size)
}

async fn load(store: &MemoryStore, run: &RunId, until: Option<u64>) -> RecoveredRun {
    RecoveredRun::load(store, run, until).await.unwrap().unwrap()
}

fn reasons(recovered: &RecoveredRun) -> Vec<&str> {
    let events = recovered.events.iter().map(|record| match &record.event {
        cot_engine::Event::Cancelled { reason, .. } => reason.as_str(),
        _ => "",
    });
    events.collect()
}

#[tokio::test]
async fn a_run_is_read_as_it_was_written() {
    let (store, run, lease, _) = written(300).await;
    store.append(&lease, vec![event("a"), event("b")]).await.unwrap();
    let read = load(&store, &run, None).await;
    assert_eq!(read.snapshot, snapshot(300).to_string());
    assert_eq!((read.steps, read.next, &read.status), (300, 603, &running("task300")));
    assert_eq!(reasons(&read), ["a", "b"]);

    // A journal that continues from there can be read too.
    let mut journal = SnapshotEncoder::new(read.snapshot, read.since_full);
    let records =
        (301..400).map(|n| step(n, journal.encode(snapshot(n).to_string(), &[]))).collect();
    store.append(&lease, records).await.unwrap();
    let read = load(&store, &run, None).await;
    assert_eq!((read.snapshot, read.next), (snapshot(399).to_string(), 702));
    assert!(read.events.is_empty());
}

#[tokio::test]
async fn a_run_is_read_as_it_stood_after_any_step() {
    let (store, run, lease, _) = written(100).await;
    store.append(&lease, vec![event("after")]).await.unwrap();
    for steps in 0..=100 {
        let read = load(&store, &run, Some(steps)).await;
        assert_eq!(read.snapshot, snapshot(steps).to_string(), "after {steps}");
        // With the event between this step and the next one.
        assert_eq!((read.steps, read.events.len()), (steps, 1));
        assert_eq!(read.usage.calls, u64::from(steps > 0));
    }
}

#[tokio::test]
async fn the_last_of_steps_with_one_number_counts() {
    let (store, run, lease, _) = written(2).await;
    let mut journal = SnapshotEncoder::new(snapshot(2).to_string(), 0);
    let later = json!({ "task": "asks" });
    let records = vec![
        step(2, journal.encode(later.to_string(), &[])),
        step(3, journal.encode(snapshot(3).to_string(), &[])),
    ];
    store.append(&lease, records).await.unwrap();
    assert_eq!(load(&store, &run, Some(2)).await.snapshot, later.to_string());
}

#[tokio::test]
async fn a_journal_grows_with_what_happens() {
    let (_, _, _, once) = written(500).await;
    let (_, _, _, twice) = written(1000).await;
    assert!(twice < once * 5 / 2, "{once} bytes for 500 steps, {twice} for 1000");
    let state = snapshot(1000).to_string().len();
    assert!(twice < 6 * state, "{twice} bytes for what comes to {state}");
}

#[tokio::test]
async fn whole_snapshots_come_back_so_that_reading_ends() {
    let (store, run, _lease, _) = written(1000).await;
    let last = store.last_full_snapshot(&run, u64::MAX).await.unwrap().unwrap();
    assert!(last > 1000, "the last of 2000 entries that is whole is {last}");
    let read = load(&store, &run, None).await;
    assert!(read.since_full < read.snapshot.len());
}

#[tokio::test]
async fn a_run_that_does_not_exist_is_none() {
    let run = "none".parse().unwrap();
    assert!(RecoveredRun::load(&MemoryStore::default(), &run, None).await.unwrap().is_none());
    assert!(RecoveredRun::load(&MemoryStore::default(), &run, Some(3)).await.unwrap().is_none());
}

#[tokio::test]
async fn a_change_that_does_not_fit_names_its_entry() {
    let (store, run, lease, _) = written(1).await;
    let other = SnapshotEncoder::new("x".repeat(5000), 0).encode("x".repeat(5001), &[]);
    store.append(&lease, vec![step(2, other)]).await.unwrap();
    let error = RecoveredRun::load(&store, &run, None).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { entry: 3, .. }), "{error:?}");
    // The entries before are still readable.
    assert_eq!(load(&store, &run, Some(1)).await.snapshot, snapshot(1).to_string());
}

#[tokio::test]
async fn what_events_say_is_stored_once() {
    let output = "a text of some length that a task has written. ".repeat(20);
    let arguments = json!({ "query": "a question of some length, with \"quotes\"" }).to_string();
    let note = |json: Value| cot_engine::RunEvent::from_journal(&raw(&json)).unwrap();
    let committed = json!({
        "note": "committed", "task": "write", "output": { "text": output }, "usage": Usage::default(),
        "elapsed": { "secs": 0, "nanos": 0 },
    });
    let notes = vec![
        note(json!({
            "note": "nested", "task": "sub", "process": "Inner",
            "event": { "note": "tool_called", "task": "ask", "call": 1, "tool": "search", "arguments": arguments },
        })),
        note(committed.clone()),
    ];
    let whole = |text: &Value| json!({ "state": { "texts": text, "calls": arguments }, "history": [{ "output": text }], "n": 0 });
    let (old, new) = (whole(&json!([])), whole(&committed["output"]));
    let mut journal = SnapshotEncoder::new(old.to_string(), 0);
    let Record::Step(mut record) = step(1, journal.encode(new.to_string(), &notes)) else {
        panic!()
    };
    record.notes = notes;
    let record = serde_json::to_string(&record).unwrap();
    assert_eq!(record.matches(&output).count(), 1, "{record}");

    let (store, run) = (MemoryStore::default(), "run".parse().unwrap());
    let lease = store.acquire(&run).await.unwrap();
    let record = Record::Step(serde_json::from_str(&record).unwrap());
    store.append(&lease, vec![begun(&old), record]).await.unwrap();
    assert_eq!(load(&store, &run, None).await.snapshot, new.to_string());
}
