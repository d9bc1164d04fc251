//! Captured and replayed calls of a state.

use std::sync::Arc;

use cot_core::{
    Approval,
    replay::{Capture, Replay},
};

use super::desk::{App, Desk, DeskOutcome, papers, read_call, send_call};

async fn captured() -> String {
    let (capture, captured) = Capture::to_memory();
    let runner = Desk::runner(App::default()).capture(capture.clone());
    let runner = runner.person(|_| async { Approval::approve() });
    let run = runner.run(papers([read_call("a"), send_call("b")])).await.unwrap();
    assert_eq!(run.outcome, DeskOutcome::Done);
    capture.finish().unwrap();
    captured.text()
}

#[tokio::test]
async fn a_replay_calls_no_tool() {
    let (app, replay) = (Arc::new(App::default()), captured().await);
    let replay = Replay::read(replay.as_bytes()).unwrap();
    let runner = Desk::runner(Arc::clone(&app)).replay(replay.clone());
    let run = runner.run(papers([read_call("a"), send_call("b")])).await.unwrap();
    assert_eq!(run.outcome, DeskOutcome::Done);
    assert!(app.log.lock().unwrap().is_empty());
    assert_eq!(replay.unused(), []);
}

#[tokio::test]
async fn a_call_that_differs_is_a_divergence() {
    let replay = Replay::read(captured().await.as_bytes()).unwrap();
    let runner = Desk::runner(App::default()).replay(replay);
    let run = runner.report(papers([read_call("other"), send_call("b")])).await.unwrap();
    let DeskOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    let why = halt.reason.to_string();
    assert!(why.contains("the replay diverged at `work#1@1+tool-1`"), "{why}");
}
