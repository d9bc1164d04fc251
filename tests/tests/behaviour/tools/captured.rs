//! Captured and replayed calls.

use std::sync::Arc;

use cot_core::{
    Approval, HaltReason,
    model::{ModelReply, ScriptedModel, ToolCall},
    replay::{Capture, Replay},
};
use serde_json::json;

use super::shop::{App, Shop, ShopOutcome, answer, open, words};

async fn captured() -> String {
    let model = ScriptedModel::new([
        ModelReply::calling([
            ToolCall::new("search", words("fail")),
            ToolCall::new("read_file", json!({ "path": "secret.txt" })),
            ToolCall::new("pay", json!({ "cents": 5 })),
        ]),
        answer("paid").into(),
    ]);
    let (capture, captured) = Capture::to_memory();
    let capture = capture.scrub("secret");
    let runner = Shop::runner(App::default()).model(model).capture(capture.clone());
    let run = runner.person(|_| async { Approval::approve() }).run(open()).await.unwrap();
    assert_eq!(run.outcome, ShopOutcome::Done);
    capture.finish().unwrap();
    captured.text()
}

async fn replayed(capture: &str) -> (ShopOutcome, Arc<App>, Replay) {
    let (app, replay) = (Arc::new(App::default()), Replay::read(capture.as_bytes()).unwrap());
    let replay = replay.scrub("secret");
    let runner = Shop::runner(Arc::clone(&app)).replay(replay.clone());
    let run = runner.report(open()).await.unwrap();
    (run.outcome, app, replay)
}

fn reason(outcome: ShopOutcome) -> String {
    match outcome {
        ShopOutcome::Halted(halt) => match halt.reason {
            HaltReason::Cancelled(why) => why,
            other => other.to_string(),
        },
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_replay_calls_no_tool() {
    let capture = captured().await;
    assert!(!capture.contains("secret"), "{capture}");
    let (outcome, app, replay) = replayed(&capture).await;
    assert_eq!(outcome, ShopOutcome::Done);
    assert!(app.log.lock().unwrap().is_empty());
    assert_eq!(replay.unused(), []);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_differs_is_a_divergence() {
    let capture = captured().await;
    let change = |from: &str, to: &str| {
        assert!(capture.contains(from), "{from} is not in {capture}");
        capture.replace(from, to)
    };
    // The captured call, as if the model had called something else then.
    let other = change(r#""tool":{"name":"pay""#, r#""tool":{"name":"charge""#);
    let (outcome, app, _) = replayed(&other).await;
    assert_eq!(
        reason(outcome),
        "the replay diverged at `answer#1@1+tool-3`: the captured call was of the tool `charge`, and this \
         one is of `pay`"
    );
    assert!(app.log.lock().unwrap().is_empty());

    let other = change(r#""arguments":{"cents":5}"#, r#""arguments":{"cents":6}"#);
    let (outcome, ..) = replayed(&other).await;
    let why = reason(outcome);
    let start =
        "the replay diverged at `answer#1@1+tool-3`: the arguments of the tool `pay` changed\n";
    assert!(why.starts_with(start), "{why}");
    assert!(why.contains("-  \"cents\": 6\n+  \"cents\": 5"), "{why}");

    // Another result, which the model would see.
    let other = change(r#""outcome":{"result":5}"#, r#""outcome":{"result":6}"#);
    let (outcome, ..) = replayed(&other).await;
    let why = reason(outcome);
    assert!(why.contains("the replay diverged at `answer#1@1+round-1`"), "{why}");

    let lines: Vec<_> = capture.lines().filter(|line| !line.contains("+tool-3")).collect();
    let (outcome, ..) = replayed(&(lines.join("\n") + "\n")).await;
    let why = reason(outcome);
    assert!(why.contains("`answer#1@1+tool-3`: it was not captured"), "{why}");
}
