//! Runs that are stored before they begin.

use std::time::{Duration, SystemTime};

use cot_core::{
    RunError,
    store::{MemoryStore, Record, Status, Store, StoreError, Submission},
};
use serde_json::json;

use super::{Desk, Draft, always, approval, draft, id, seen::Seen, submit, summary};
use crate::running::Asked;

#[tokio::test]
async fn submitted_runs_begin_in_a_worker() {
    let store = MemoryStore::default();
    let model = always();
    submit(draft(&model), &store, &["one", "two"]).await;
    assert_eq!(summary(&store, "one").await.status, Status::Queued);
    assert_eq!(model.calls.all(), 0, "no program drives it");

    let seen = Seen::default();
    let worker = draft(&model).worker(store.clone()).observe(seen.listen());
    worker.run_until_idle().await.unwrap();
    assert_eq!(seen.runs("claimed"), ["one", "two"]);
    assert_eq!(seen.runs("ended"), ["one", "two"]);
    assert_eq!(model.calls.all(), 2);
    let run = draft(&model).store(store.clone()).resume("one").unwrap().await.unwrap();
    assert_eq!((run.state.notes.len(), run.run_id), (1, id("one")));
}

#[tokio::test]
async fn a_name_is_submitted_once() {
    let store = MemoryStore::default();
    submit(draft(&always()), &store, &["one"]).await;
    let runner = draft(&always()).store(store.clone()).run_id("one");
    let again = runner.submit(&Desk::default()).await;
    assert!(matches!(again, Err(RunError::Store(StoreError::RunExists { .. }))));
    let nowhere = draft(&always()).submit(&Desk::default()).await;
    assert!(matches!(nowhere, Err(RunError::NoStore)));
}

#[tokio::test]
async fn a_submitted_run_can_be_driven_without_a_worker() {
    let store = MemoryStore::default();
    submit(draft(&always()), &store, &["one", "two"]).await;
    let runner = draft(&always()).store(store.clone());
    assert_eq!(runner.resume("one").unwrap().await.unwrap().state.notes.len(), 1);
    // The submitted state counts, not this one.
    let other = Desk { is_late: true, ..Desk::default() };
    let run = runner.run_id("two").run(other).await.unwrap();
    assert!(!run.state.is_late);
    let first = &store.entries(&id("two"), 0, 1).await.unwrap()[0];
    assert!(matches!(first.record, Record::Submitted(_)));
}

#[tokio::test]
async fn any_program_submits_with_its_own_limits() {
    let store = MemoryStore::default();
    let state = json!({ "notes": [] });
    let now = SystemTime::now();
    let free = Submission::new("Draft", &state, now).unwrap().run_id(id("free"));
    let limited = Submission::new("Draft", &state, now).unwrap().run_id(id("limited"));
    store.submit(free).await.unwrap();
    store.submit(limited.max_steps(0).goal("Be quick.")).await.unwrap();
    draft(&always()).worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!(summary(&store, "free").await.status.word(), "end");
    assert_eq!(summary(&store, "limited").await.status.word(), "halted");
}

#[tokio::test]
async fn a_state_that_can_not_be_read_sets_its_run_aside() {
    let store = MemoryStore::default();
    let wrong = json!({ "notes": [{ "text": "a", "rank": "high" }] });
    let wrong = Submission::new("Draft", &wrong, SystemTime::now()).unwrap();
    store.submit(wrong.run_id(id("wrong"))).await.unwrap();
    submit(draft(&always()), &store, &["right"]).await;

    let seen = Seen::default();
    let worker = draft(&always()).worker(store.clone()).observe(seen.listen());
    worker.run_until_idle().await.unwrap();
    assert_eq!(seen.runs("ended"), ["right"]);
    assert_eq!(seen.runs("set aside"), ["wrong"]);
    let wrong = summary(&store, "wrong").await;
    let why = wrong.set_aside.clone().unwrap().why;
    assert!(why.contains("`$.notes[0].rank`") && why.contains("expected u32"), "{why}");
    assert_eq!(wrong.status, Status::Queued);
    assert!(wrong.to_string().ends_with(&format!(", set aside: {why}")));

    assert!(store.retry(&id("wrong")).await.unwrap());
    draft(&always()).worker(store.clone()).run_until_idle().await.unwrap();
    assert!(summary(&store, "wrong").await.set_aside.is_some(), "it is still wrong");
}

#[tokio::test]
async fn one_worker_serves_many_processes() {
    let store = MemoryStore::default();
    submit(draft(&always()), &store, &["one"]).await;
    submit(approval(&always()), &store, &["two"]).await;
    let seen = Seen::default();
    let worker = draft(&always()).worker(store.clone()).serve(approval(&always()));
    worker.observe(seen.listen()).run_until_idle().await.unwrap();
    assert_eq!((seen.runs("ended"), seen.runs("parked")), (vec!["one".into()], vec!["two".into()]));
}

#[tokio::test]
async fn a_worker_that_is_not_complete_does_not_begin() {
    let store = MemoryStore::default();
    let twice = draft(&always()).worker(store.clone()).serve(draft(&always()));
    let error = twice.run_until_idle().await.unwrap_err();
    assert_eq!(error.to_string(), "the worker has two runners for the process `Draft`");
    let error = Draft::runner().worker(store).run_until_idle().await.unwrap_err();
    assert_eq!(error.to_string(), "the worker can't drive the process `Draft`");
    assert!(std::error::Error::source(&error).is_some());
}

#[tokio::test(start_paused = true)]
async fn no_due_run_waits_while_there_is_room() {
    let store = MemoryStore::default();
    let names: Vec<String> = (0..100).map(|number| format!("run-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    submit(draft(&always()), &store, &names).await;
    let seen = Seen::default();
    let interval = Duration::from_secs(3600);
    let worker = draft(&always()).worker(store).max_runs(4).poll_interval(interval);
    let begun = tokio::time::Instant::now();
    worker.observe(seen.listen()).run_until_idle().await.unwrap();
    assert_eq!(seen.runs("ended").len(), 100);
    assert!(begun.elapsed() < interval, "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_runs_are_shared_by_workers() {
    let store = MemoryStore::default();
    let model = Asked::new(|_| async {
        tokio::task::yield_now().await;
        Ok(crate::drive::note("a", 1).into())
    });
    let runner = draft(&model).store(store.clone());
    for _ in 0..1000 {
        runner.submit(&Desk::default()).await.unwrap();
    }
    let seen = Seen::default();
    let work = || {
        let worker = draft(&model).worker(store.clone()).max_runs(8).observe(seen.listen());
        tokio::spawn(worker.run_until_idle())
    };
    for worker in [work(), work(), work()] {
        worker.await.unwrap().unwrap();
    }
    let mut ended = seen.runs("ended");
    assert_eq!(ended.len(), 1000);
    ended.dedup();
    assert_eq!(ended.len(), 1000, "each run ends once");
    assert_eq!(model.calls.all(), 1000, "no run is driven by two workers");
    assert!(model.calls.most() <= 3 * 8, "{} at once", model.calls.most());
}
