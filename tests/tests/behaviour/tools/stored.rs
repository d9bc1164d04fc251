//! Tools in stored runs.

use std::{sync::Arc, time::Duration};

use cot_core::{
    model::{ModelReply, ScriptedModel, ToolCall},
    store::{MemoryStore, RunHistory, Status, Store},
};
use serde_json::json;

use super::shop::{App, Shop, ShopOutcome, answer, open, words};
use crate::storing::ledger::{Fate, Ledger};

/// A model that looks something up and pays, by the rounds of the request.
fn model() -> ScriptedModel {
    ScriptedModel::from_fn(|request| match request.rounds.len() {
        0 => ModelReply::calling([
            ToolCall::new("search", words("a")),
            ToolCall::new("pay", json!({ "cents": 5 })),
            ToolCall::new("fly", json!({})),
        ]),
        1 => ModelReply::calling([ToolCall::new("hours", json!({}))]),
        _ => answer("paid").into(),
    })
}

#[tokio::test(start_paused = true)]
async fn nothing_is_lost_and_nothing_is_paid_twice_wherever_the_program_dies() {
    let (mut unknown, mut done) = (0, 0);
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        for append in 0..14 {
            let (store, app) = (Ledger::default(), Arc::new(App::default()));
            store.at(append, fate);
            let runner = Shop::runner(Arc::clone(&app)).model(model()).store(store.clone());
            let runner = runner.run_id("shop");
            let runner = runner.person(|_| async { cot_core::Approval::approve() });
            let run = runner.clone();
            let began = tokio::spawn(async move { run.run(open()).await });
            tokio::select! {
                () = store.cut() => began.abort(),
                // The run made fewer writes.
                () = tokio::time::sleep(Duration::from_secs(1)) => {}
            }
            let _ = began.await;
            store.mend();
            let run = runner.run(open()).await.unwrap();
            let log = app.log.lock().unwrap().clone();
            let paid: Vec<_> = log.iter().filter(|line| line.contains("paid")).collect();
            assert!(paid.len() <= 1, "{append} {fate:?}: {log:?}");
            match run.outcome {
                ShopOutcome::Done => {
                    assert_eq!(paid, ["shop/answer#1+tool-2 paid 5"], "{append} {fate:?}");
                    assert_eq!(run.state.answers.len(), 1);
                    done += 1;
                }
                ShopOutcome::Unknown => unknown += 1,
                other => panic!("{append} {fate:?}: {other:?}"),
            }
        }
    }
    assert!(unknown >= 2 && done >= 6, "{unknown} unknown, {done} done");
}

#[tokio::test]
async fn a_worker_holds_no_run_that_waits_for_an_approval() {
    let (store, app) = (MemoryStore::default(), Arc::new(App::default()));
    let runner = Shop::runner(Arc::clone(&app)).model(model());
    runner.clone().store(store.clone()).run_id("shop").submit(&open()).await.unwrap();
    let id = "shop".parse().unwrap();
    runner.clone().worker(store.clone()).run_until_idle().await.unwrap();
    let summary = store.run(&id).await.unwrap().unwrap();
    let Status::Asking { key, question, .. } = summary.status else { panic!("{summary:?}") };
    assert_eq!(key.to_string(), "answer#1@1+approve-2");
    assert!(question.contains("\"cents\": 5"), "{question}");
    assert!(!summary.is_driven);
    // What was called before is not called again.
    assert_eq!(app.log.lock().unwrap().len(), 1);

    let history = RunHistory::load(&store, &id).await.unwrap().unwrap();
    let calls: Vec<_> = history.steps[0].tools.iter().map(ToString::to_string).collect();
    assert_eq!(calls[0], r#"call 1 of search: ["a found"]"#);

    store.put_answer(&id, &key, json!({ "approved": true })).await.unwrap();
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!(app.log.lock().unwrap().len(), 2);
    let history = RunHistory::load(&store, &id).await.unwrap().unwrap();
    assert!(history.summary.status.is_ended());
    let step = &history.steps[0];
    let calls: Vec<_> = step.tools.iter().map(ToString::to_string).collect();
    assert_eq!(
        calls,
        [
            r#"call 1 of search: ["a found"]"#,
            "call 2 of pay: 5",
            r#"call 3 of fly: failed: there is no tool "fly". The tools are "search", "pay", "hours", "read_file""#,
            r#"call 4 of hours: "9 to 5""#,
        ]
    );
    assert_eq!(step.tools[1].approval, Some(json!({ "approved": true })));
    assert_eq!(step.tools[1].arguments, r#"{"cents":5}"#);
    assert_eq!((step.attempts.len(), step.usage().calls), (1, 3));
    assert_eq!(history.summary.usage.calls, 3);
    assert!(step.is_committed && step.output == Some(answer("paid")));
}
