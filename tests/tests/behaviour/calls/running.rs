//! Runs whose tasks perform calls of the state.

use std::sync::Arc;

use cot_core::Approval;

use super::desk::{App, Desk, DeskOutcome, papers, read_call, send_call};

#[tokio::test]
async fn a_runner_performs_the_calls_and_asks_the_responder() {
    let app = Arc::new(App::default());
    let runner = Desk::runner(Arc::clone(&app)).person(|_| async { Approval::approve() });
    let run = runner.run(papers([send_call("a"), read_call("b")])).await.unwrap();
    assert_eq!(run.outcome, DeskOutcome::Done);
    assert_eq!(run.state.rounds[0].iter().len(), 2);
    assert_eq!(app.log.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn approvals_need_somebody_who_approves() {
    let error = Desk::runner(App::default()).run(papers([send_call("a")])).await.unwrap_err();
    assert!(error.to_string().contains("work"), "{error}");
}
