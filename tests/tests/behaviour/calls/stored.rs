//! Stored runs whose tasks perform calls of the state.

use std::{sync::Arc, time::Duration};

use cot_core::{
    Approval,
    model::ToolCall,
    store::{MemoryStore, RunHistory, Status, Store},
};
use serde_json::json;

use super::desk::{App, Desk, DeskOutcome, Drawers, Papers, papers, read_call, send_call};
use crate::storing::ledger::{Fate, Ledger};

fn drawer_call() -> ToolCall {
    ToolCall::new("open_drawer", json!({}))
}

fn calls() -> Papers {
    papers([drawer_call(), read_call("a"), drawer_call(), send_call("b"), read_call("cc")])
}

/// Kills a run at an append, and resumes it in a program with these drawers.
async fn survived(
    append: usize,
    fate: Fate,
    drawers: Drawers,
) -> (DeskOutcome, Papers, Vec<String>) {
    let (store, app) = (Ledger::default(), Arc::new(App::default()));
    store.at(append, fate);
    let runner = |app: Arc<App>| {
        let runner = Desk::runner(app).store(store.clone()).run_id("desk");
        runner.person(|_| async { Approval::approve() })
    };
    let run = runner(Arc::clone(&app));
    let began = tokio::spawn(async move { run.report(calls()).await });
    tokio::select! {
        () = store.cut() => began.abort(),
        // The run made fewer writes.
        () = tokio::time::sleep(Duration::from_millis(300)) => {}
    }
    let _ = began.await;
    store.mend();
    let next = Arc::new(App { drawers, ..App::default() });
    let run = runner(Arc::clone(&next)).report(calls()).await.unwrap();
    let mut log = app.log.lock().unwrap().clone();
    log.extend(next.log.lock().unwrap().clone());
    (run.outcome, run.state, log)
}

#[tokio::test(start_paused = true)]
async fn nothing_is_lost_and_nothing_is_sent_twice_wherever_the_program_dies() {
    let (mut unknown, mut done) = (0, 0);
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        for append in 0..10 {
            let (outcome, papers, log) = survived(append, fate, Drawers::default()).await;
            let sent = log.iter().filter(|line| line.ends_with("sent")).count();
            assert!(sent <= 1, "{append} {fate:?}: {log:?}");
            match outcome {
                DeskOutcome::Done => {
                    let round = &papers.rounds[0];
                    assert!(round.iter().all(|(_, result)| !result.is_error), "{round:?}");
                    done += 1;
                }
                DeskOutcome::Unknown => unknown += 1,
                other => panic!("{append} {fate:?}: {other:?}"),
            }
        }
    }
    assert!(unknown >= 1 && done >= 6, "{unknown} unknown, {done} done");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_gone_after_the_crash_costs_its_unanswered_calls_only() {
    let mut answered = 0;
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        for append in 0..10 {
            let (outcome, papers, _) = survived(append, fate, Drawers::new(Vec::new())).await;
            if outcome == DeskOutcome::Unknown {
                continue;
            }
            assert_eq!(outcome, DeskOutcome::Done, "{append} {fate:?}");
            for (call, result) in papers.rounds[0].iter() {
                match &*call.name {
                    "open_drawer" if result.is_error => {
                        assert!(result.text.starts_with("there is no tool"), "{result}");
                    }
                    "open_drawer" => answered += 1,
                    _ => assert!(!result.is_error, "{append} {fate:?}: {call} {result}"),
                }
            }
        }
    }
    assert!(answered > 4, "{answered}");
}

#[tokio::test]
async fn a_worker_holds_no_run_that_waits_for_an_approval() {
    let (store, app) = (MemoryStore::default(), Arc::new(App::default()));
    let runner = Desk::runner(Arc::clone(&app));
    runner.clone().store(store.clone()).run_id("desk").submit(&calls()).await.unwrap();
    let id = "desk".parse().unwrap();
    runner.clone().worker(store.clone()).run_until_idle().await.unwrap();
    let summary = store.run(&id).await.unwrap().unwrap();
    let Status::Asking { key, .. } = summary.status else { panic!("{summary:?}") };
    assert_eq!(key.to_string(), "work#1@1+approve-4");

    store.put_answer(&id, &key, json!({ "approved": true })).await.unwrap();
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    let history = RunHistory::load(&store, &id).await.unwrap().unwrap();
    assert!(history.summary.status.is_ended());
    let step = &history.steps[0];
    let tools: Vec<_> = step.tools.iter().map(ToString::to_string).collect();
    assert_eq!(tools[1], "call 2 of read: 1");
    assert_eq!(tools[3], "call 4 of send: \"b\"");
    assert_eq!((tools.len(), step.usage().calls), (5, 0));
    assert_eq!(step.tools[3].approval, Some(json!({ "approved": true })));
    assert!(step.is_committed);
}
