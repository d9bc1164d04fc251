//! Who drives which run.

use cot_core::{
    RunError, RunEvent as Noted, RunEvent, Runner,
    prelude::*,
    store::{EndKind, MemoryStore, Record, Status, Store, StoreError},
};
use serde::{Deserialize, Serialize};

use super::ledger::{Fate, Ledger};
use crate::{
    drive::{Note, note},
    running::{Asked, Heard, until_waiting},
    working::seen::Seen,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pad {
    notes: Vec<Note>,
}

cot_process! {
    pub(crate) process Inner {
        state: Pad,
        task think -> Note { update: { notes[] = output }, next: done }
        task done { end }
    }
}

cot_process! {
    pub(crate) process Pads {
        state: Pad,
        history: { max_items: 20 },
        task write -> Note { update: { notes[] = output }, next: gate }
        task gate { next: inner }

        task inner {
            process: Inner with Pad::default(),
            update: { notes = output.notes },
            next: last,
        }

        task last -> Note { prompt: "${json(history)}", update: { notes[] = output }, next: done }
        task done { end }
    }
}

fn runner(store: &(impl Store + Clone + 'static), model: Asked) -> Runner<Pads> {
    Pads::runner().model(model).store(store.clone())
}

fn always() -> Asked {
    Asked::always(note("a", 1))
}

/// Leaves runs of these names behind that wait for a reply.
fn leave(store: &(impl Store + Clone + 'static), names: &[&str]) {
    for name in names {
        let runner = runner(store, Asked::times(1, note("a", 1))).run_id(name);
        until_waiting(&mut runner.start(Pad::default()).unwrap());
    }
}

#[tokio::test]
async fn a_second_driver_is_refused() {
    let store = MemoryStore::default();
    let mut first = runner(&store, Asked::never()).run_id("x").start(Pad::default()).unwrap();
    until_waiting(&mut first);
    let second = runner(&store, always()).run_id("x").run(Pad::default()).await;
    assert!(matches!(second, Err(RunError::Store(StoreError::Leased { .. }))));
    drop(first);
    runner(&store, always()).resume("x").unwrap().await.unwrap();
}

#[tokio::test]
async fn a_run_that_is_over_gives_its_end_to_anybody_at_once() {
    let store = MemoryStore::default();
    let run = runner(&store, always()).run_id("x").run(Pad::default()).await.unwrap();
    let entries = store.run(&"x".parse().unwrap()).await.unwrap().unwrap().entries;
    let model = always();
    let again = runner(&store, model.clone());
    let (one, two) =
        tokio::join!(again.resume("x").unwrap().finish(), again.resume("x").unwrap().finish());
    for other in [one, two, again.run_id("x").run(Pad::default()).await] {
        let other = other.unwrap();
        assert_eq!((other.outcome, other.state), (run.outcome.clone(), run.state.clone()));
    }
    assert_eq!(model.calls.all(), 0);
    assert_eq!(store.run(&"x".parse().unwrap()).await.unwrap().unwrap().entries, entries);
}

#[tokio::test]
async fn each_run_without_a_name_gets_one() {
    let store = MemoryStore::default();
    let runner = runner(&store, always());
    let one = runner.run(Pad::default()).await.unwrap().run_id;
    let active = runner.start(Pad::default()).unwrap();
    let two = active.run_id().clone();
    assert_ne!(one, two);
    assert_eq!(active.await.unwrap().run_id, two);
    assert!(store.run(&two).await.unwrap().unwrap().status.is_ended());
}

#[tokio::test]
async fn mistakes_are_named() {
    let store = MemoryStore::default();
    let named = runner(&store, always()).run_id("no spaces").run(Pad::default()).await;
    assert!(matches!(named, Err(RunError::RunId(_))));
    let unknown = runner(&store, always()).resume("unknown").unwrap().await;
    assert!(matches!(unknown, Err(RunError::Store(StoreError::UnknownRun { .. }))));
    let nowhere = Pads::runner().model(always());
    assert!(matches!(nowhere.resume("x"), Err(RunError::NoStore)));
    assert!(matches!(nowhere.run_id("x").run(Pad::default()).await, Err(RunError::NoStore)));
}

#[tokio::test]
async fn all_that_is_left_goes_on() {
    let store = MemoryStore::default();
    runner(&store, always()).run_id("over").run(Pad::default()).await.unwrap();
    leave(&store, &["one", "two", "three"]);
    let mut driven = runner(&store, Asked::never()).run_id("driven").start(Pad::default()).unwrap();
    until_waiting(&mut driven);
    let inner = Inner::runner().model(Asked::never()).store(store.clone()).run_id("inner");
    until_waiting(&mut inner.start(Pad::default()).unwrap());

    let model = always();
    let seen = Seen::default();
    let worker = runner(&store, model.clone()).worker(store.clone()).observe(seen.listen());
    worker.run_until_idle().await.unwrap();
    assert_eq!(seen.runs("ended"), ["one", "three", "two"]);
    // The first reply of each was written.
    assert_eq!(model.calls.all(), 3 * 2);
}

#[tokio::test]
async fn what_was_told_before_is_not_told_again() {
    let store = MemoryStore::default();
    leave(&store, &["x"]);
    let heard = Heard::default();
    let runner = runner(&store, always()).observe(heard.listen());
    let mut run = runner.resume("x").unwrap();
    let mut steps = Vec::new();
    while let Some(event) = run.next().await {
        if let RunEvent::Committed { task, .. } = event {
            steps.push(task.to_string());
        }
    }
    assert_eq!(steps, ["inner", "last"]);
    assert_eq!(heard.words().iter().filter(|word| *word == "Committed").count(), 2);
    run.finish().await.unwrap();
}

#[tokio::test]
async fn an_error_of_the_store_ends_a_stream_and_is_told_at_its_end() {
    let store = Ledger::default();
    store.at(2, Fate::Taken);
    let mut run = runner(&store, always()).run_id("x").start(Pad::default()).unwrap();
    while run.next().await.is_some() {}
    assert_eq!(run.run_id().as_str(), "x");
    let error = run.finish().await.unwrap_err();
    assert!(matches!(error, RunError::Store(StoreError::LeaseLost { .. })), "{error}");
}

#[tokio::test]
async fn what_is_added_to_the_history_is_written() {
    let store = MemoryStore::default();
    let mut run = runner(&store, Asked::never()).run_id("x").start(Pad::default()).unwrap();
    run.add_history(&"before the first step").unwrap();
    until_waiting(&mut run);
    run.add_history(&"while a model is asked").unwrap();
    until_waiting(&mut run);
    drop(run);
    let mut run = runner(&store, Asked::never()).resume("x").unwrap();
    run.add_history(&"before it has gone on").unwrap();
    until_waiting(&mut run);
    drop(run);
    let run = runner(&store, always()).resume("x").unwrap().await.unwrap();
    let history = serde_json::to_string(&run.history).unwrap();
    let entries = ["before the first step", "while a model is asked", "before it has gone on"];
    let found: Vec<_> = entries.iter().map(|entry| history.find(entry).unwrap()).collect();
    assert!(found.is_sorted());
}

#[tokio::test]
async fn a_fast_run_takes_one_append_a_step_and_tells_all() {
    let store = Ledger::default();
    runner(&store, always()).run_id("x").run(Pad::default()).await.unwrap();
    // The beginning, three replies, each with the step before it, and the end.
    assert_eq!(store.appends(), 5);
    let commits = store.notes("x").await.into_iter().filter_map(|note| match note {
        Noted::Committed { task, .. } => Some(task),
        Noted::Nested { event, .. } => match *event {
            Noted::Committed { task, .. } => Some(task),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(commits.collect::<Vec<_>>(), ["write", "think", "inner", "last"]);
    let summary = store.summary("x").await;
    assert_eq!((summary.steps, summary.usage.calls), (4, 3));
    let ended = Status::Ended { task: "done".to_owned(), how: EndKind::End, why: String::new() };
    assert_eq!(summary.status, ended);
    let prompts = store.records("x").await.into_iter().filter_map(|record| match record {
        Record::Event(event) => event.asked?.prompt,
        _ => None,
    });
    assert_eq!(prompts.count(), 3);
}

#[tokio::test]
async fn people_see_the_task_that_works() {
    let store = Ledger::default();
    leave(&store, &["x"]);
    assert_eq!(store.status("x").await, Status::Running { task: "inner".to_owned() });
}

#[tokio::test]
async fn the_commit_of_a_process_within_is_repeated_only_by_a_crash_right_after_it() {
    for appends in 0..5 {
        let store = Ledger::default();
        store.at(appends, Fate::CutBefore);
        let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = std::sync::Arc::clone(&count);
        let runner = runner(&store, always())
            .after_commit(move |_| _ = counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst))
            .run_id("x");
        tokio::select! {
            biased;
            _ = runner.run(Pad::default()) => panic!("it should have been cut"),
            () = store.cut() => {}
        }
        assert_eq!(runner.run(Pad::default()).await.unwrap().state.notes.len(), 2);
        let count = count.load(std::sync::atomic::Ordering::SeqCst);
        assert!((3..=4).contains(&count), "{appends}: {count}");
    }
}
