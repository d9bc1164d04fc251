//! Traces of stored runs, without the types of their process.

use std::{convert::Infallible, time::SystemTime};

use cot_core::{
    ProcessEvent, RunEvent,
    model::ScriptedModel,
    prelude::*,
    store::{Fork, MemoryStore, RunHistory, Store, Submission},
    task_format::{RunRecorder, Trace, load_trace},
};
use cot_sqlite::SqliteStore;

use crate::traces::{
    lossless::{assert_lossless, assert_sound},
    office::{Desk, LONG_WORD, Office, model, runner},
};

const ALL: [&str; 12] = [
    "write", "write", "look", "ask", "nest", "each", "weigh", "bake", "race", "first", "order",
    "done",
];

async fn load(store: &dyn Store, run: &str) -> (Trace, RunHistory) {
    let run = run.parse().unwrap();
    let trace = load_trace(store, &run).await.unwrap().unwrap();
    let history = RunHistory::load(store, &run).await.unwrap().unwrap();
    (trace, history)
}

/// Runs until an event, and drops the run there, as when a program ends.
async fn run_until(store: MemoryStore, run: &str, stops: impl Fn(&ProcessEvent<Office>) -> bool) {
    let runner = runner().model(model(&ALL)).store(store).run_id(run);
    let mut run = runner.start(Desk::default()).unwrap();
    while let Some(event) = run.next().await {
        if stops(&event) {
            return;
        }
    }
    panic!("it did not stop");
}

#[track_caller]
fn assert_contains(trace: &Trace, parts: &[&str]) {
    let text = trace.to_string();
    for part in parts {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

async fn assert_whole(store: impl Store + Clone + 'static) {
    let runner = runner().model(model(&ALL)).store(store.clone()).run_id("all");
    runner.run(Desk::default()).await.unwrap();
    let (trace, history) = load(&store, "all").await;
    assert_sound(&trace);
    assert_lossless(&trace, &history);
    let text = trace.to_string();
    assert!(text.starts_with("system「A run of the process Office.」\n"), "{text}");
    assert_contains(
        &trace,
        &[
            "user「Tidy the 「desk」」 🏷 usr1",
            "approved ↦ true",
            "the reply of attempt 2 was repaired",
            "the branch `slow` was cancelled",
            "response「The run came to its end at `done`.",
        ],
    );
    // Of long arguments and results, the steps of a journal have the beginning.
    assert_eq!(text.matches(&LONG_WORD.repeat(400)).count(), 2, "{text}");
    assert!(!text.contains('…'), "{text}");
    // The steps of the branches come before the end of the task that runs them.
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} is not in {text}"));
    assert!(at("ann_checks\n") < at("the branch `ann` joined"), "{text}");
    assert!(at("the branch `ann` joined") < at("`race` leads to `joined`"), "{text}");
}

#[tokio::test]
async fn a_run_in_memory_is_whole() {
    assert_whole(MemoryStore::default()).await;
}

#[tokio::test]
async fn a_run_in_sqlite_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    assert_whole(SqliteStore::open(folder.path().join("runs.db")).unwrap()).await;
}

#[tokio::test]
async fn a_run_that_was_killed_is_whole_before_and_after_it_goes_on() {
    let kinds: [fn(&ProcessEvent<Office>) -> bool; 5] = [
        |event| matches!(event, RunEvent::Asked { .. }),
        |event| matches!(event, RunEvent::Nested { event, .. } if matches!(**event, RunEvent::Asked { .. })),
        |event| matches!(event, RunEvent::ItemDone { .. }),
        |event| matches!(event, RunEvent::BranchEnded { .. }),
        |event| matches!(event, RunEvent::ToolReturned { .. }),
    ];
    for (number, stops) in kinds.into_iter().enumerate() {
        let store = MemoryStore::default();
        run_until(store.clone(), "killed", stops).await;
        let (trace, history) = load(&store, "killed").await;
        assert_contains(&trace, &["The run is not over. "]);
        assert_sound(&trace);
        assert_lossless(&trace, &history);

        // The choices that were made are not made again.
        let made = trace.to_string().matches("goTo ↦").count();
        let recorder = RunRecorder::<Office>::load(&store, &"killed".parse().unwrap()).await;
        let recorder = recorder.unwrap().unwrap();
        let resumed = runner().model(model(&ALL[made..])).store(store.clone());
        let resumed = resumed.observe(recorder.observer()).resume("killed").unwrap();
        resumed.finish().await.unwrap();
        let report = assert_sound(&recorder.trace());
        assert_eq!(report.blocks.iter().filter(|block| **block == "user").count(), 1, "{number}");
        let (trace, history) = load(&store, "killed").await;
        assert_sound(&trace);
        assert_lossless(&trace, &history);
        for trace in [&trace, &recorder.trace()] {
            assert_contains(trace, &["the run begins here", "The run came to its end at `done`."]);
            let all = ALL.map(|choice| format!("goTo ↦ {choice}"));
            assert_contains(trace, &all.each_ref().map(String::as_str));
        }
    }
}

#[tokio::test]
async fn a_run_that_waits_says_for_what() {
    let store = MemoryStore::default();
    let submission = Submission::new("Office", &Desk::default(), SystemTime::now()).unwrap();
    store.submit(submission.run_id("queued".parse().unwrap())).await.unwrap();
    let (trace, _) = load(&store, "queued").await;
    assert_sound(&trace);
    assert_contains(&trace, &["response「The run is not over. No program has begun it.」"]);

    run_until(store.clone(), "asking", |event| matches!(event, RunEvent::Asked { .. })).await;
    let (trace, _) = load(&store, "asking").await;
    assert_sound(&trace);
    assert_contains(&trace, &["The run is not over. A person is asked at `ask`: What 「now」?"]);
    assert!(load_trace(&store, &"nobody".parse().unwrap()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_cancelled_run_and_a_fork_say_so() {
    let store = MemoryStore::default();
    let runner = runner().model(model(&ALL)).store(store.clone());
    let mut run = runner.run_id("cancelled").start(Desk::default()).unwrap();
    let handle = run.handle();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::TaskStarted { step: 6, .. }) {
            handle.cancel("closing 「time」");
        }
    }
    let (trace, history) = load(&store, "cancelled").await;
    assert_sound(&trace);
    assert_lossless(&trace, &history);
    assert_contains(&trace, &["The run failed at `", "cancelled: closing 「time」"]);

    let fork = Fork::new("cancelled".parse().unwrap()).at(2);
    fork.create(&store, &"fork".parse().unwrap(), SystemTime::now()).await.unwrap();
    let (trace, _) = load(&store, "fork").await;
    assert_sound(&trace);
    assert_contains(
        &trace,
        &["system「A run of the process Office, a fork of cancelled at step 2.」"],
    );
}

cot_process! {
    /// Goes one way.
    process OneWay {
        state: (),
        task hub { transitions: { rest } }
        task rest { run: rest, next: done }
        task done { end }
    }
}

async fn rest((): &()) -> Result<(), Infallible> {
    Ok(())
}

#[tokio::test]
async fn the_only_way_is_that_of_the_live_trace() {
    let (store, live) = (MemoryStore::default(), RunRecorder::<OneWay>::new("G"));
    let runner = OneWay::runner().model(ScriptedModel::new([""; 0])).observe(live.observer());
    runner.store(store.clone()).run_id("one").run(()).await.unwrap();
    let (stored, _) = load(&store, "one").await;
    for trace in [live.trace(), stored] {
        assert_contains(&trace, &["`hub` can only go to `rest`"]);
    }
}
