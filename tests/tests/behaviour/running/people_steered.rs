//! Runs that wait for people, and are paused, cancelled, or have nobody.

use cot_core::{AnswerError, RunEvent, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    people::{Approve, ApproveTask, Decision, Desk, asking, model, yes},
    shown, until_waiting,
};

#[tokio::test]
async fn a_waiting_run_pauses_once_it_is_answered() {
    let (mut active, handle) = asking();
    handle.pause();
    assert!(until_waiting(&mut active).is_empty() && !handle.is_paused());
    let answer = handle.answer(&yes());
    let events = until_waiting(&mut active);
    assert!(matches!(events.last(), Some(RunEvent::Paused)), "{events:?}");
    answer.await.unwrap();
    assert!(handle.is_paused());

    // While it is paused nothing is asked, and whoever answers hears so at once.
    let early = tokio::spawn(handle.answer(&yes()));
    let run = tokio::spawn(active.finish());
    assert!(matches!(early.await.unwrap(), Err(AnswerError::NotAsked)));
    handle.resume();
    assert_eq!(shown(&run.await.unwrap().unwrap().outcome), "Done");
}

#[tokio::test]
async fn a_waiting_run_can_be_cancelled() {
    let (active, handle) = asking();
    let run = tokio::spawn(active.finish().report());
    tokio::task::yield_now().await;
    handle.cancel("too late");
    let run = run.await.unwrap().unwrap();
    assert!(shown(&run.outcome).contains("Cancelled(\"too late\")"));
    assert_eq!(run.state, Desk { note: "hello".into(), decisions: Vec::new() });
}

#[tokio::test]
async fn after_the_end_a_handle_says_that_nothing_is_paused() {
    let (mut active, handle) = asking();
    handle.pause();
    let answer = handle.answer(&yes());
    until_waiting(&mut active);
    answer.await.unwrap();
    assert!(handle.is_paused());
    handle.cancel("enough");
    active.finish().report().await.unwrap();
    assert!(!handle.is_paused());
    handle.pause();
    handle.resume();
    handle.cancel("once more");
    assert!(!handle.is_paused());
}

#[tokio::test]
async fn a_handle_may_answer_before_the_person_does() {
    let runner = Approve::runner().model(model()).person(|_| std::future::pending::<Decision>());
    let mut active = runner.start(Desk::default()).unwrap();
    until_waiting(&mut active);
    assert_eq!(active.question().unwrap().task, ApproveTask::Ask);
    let (answered, run) = tokio::join!(active.handle().answer(&yes()), active.finish());
    answered.unwrap();
    assert_eq!(run.unwrap().state.decisions.len(), 1);
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Count {
    answers: Vec<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Number {
    many: u32,
}

cot_process! {
    pub(crate) process Mocked {
        state: Count,
        mock_mode: true,

        task ask -> Number {
            ask: "How many?",
            check: is_small,
            mock: many,
            update: { answers[] = output.many },
            next: done,
        }

        task done { end }
    }
}

fn is_small(count: &Number, _: &Count) -> Result<(), Issues> {
    if count.many < 10 { Ok(()) } else { Err(Issues::at("$", "is too much")) }
}

fn many(state: &Count) -> Number {
    Number { many: if state.answers.is_empty() { 100 } else { 1 } }
}

#[tokio::test]
async fn a_refused_mock_does_not_leave_a_run_waiting_for_nobody() {
    let run = Mocked::runner().report(Count::default()).await.unwrap();
    let outcome = shown(&run.outcome);
    assert!(outcome.contains("nothing can answer `ask`"), "{outcome}");

    let alone =
        Mocked::runner().run_task(MockedTask::Ask, Count::default()).report().await.unwrap();
    assert!(shown(&alone.end).contains("nothing can answer `ask`"), "{alone:?}");

    let runner = Mocked::runner().person(async |_| json!({ "many": 3 }));
    let answers = runner.run(Count::default()).await.unwrap().state.answers;
    assert_eq!(answers, [3]);
    let run = Mocked::runner().run(Count { answers: vec![0] }).await.unwrap();
    assert_eq!((shown(&run.outcome), run.state.answers), ("Done".into(), vec![0, 1]));
}
