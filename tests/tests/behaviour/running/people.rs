//! People who are asked, and what they answer.

use std::{sync::Arc, time::Duration};

use cot_core::{
    ActiveRun, AnswerError, Machine, ResumeOptions, RunError, RunEvent, RunHandle, Snapshot,
    model::ScriptedModel, prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Asked, Heard, note, shown, until_waiting};
use crate::drive::Note;

/// What somebody decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Decision {
    pub(crate) approved: bool,
    #[schemars(length(max = 10))]
    pub(crate) remark: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Desk {
    pub(crate) note: String,
    pub(crate) decisions: Vec<Decision>,
}

cot_process! {
    pub(crate) process Approve {
        state: Desk,

        task draft -> Note { update: { note = output.text }, next: ask }

        task ask -> Decision {
            ask: "May `${state.note}` go out?",
            timeout: 1h,
            update: { decisions[] = output },
            on: { timeout => late },
            next: { again if !output.approved, done },
        }

        task again -> Decision { ask: "Really not?", update: { decisions[] = output }, next: done }
        task late { fail: "nobody answered" }
        task done { end }
    }
}

pub(super) fn model() -> ScriptedModel {
    ScriptedModel::from_fn(|_| note("hello"))
}

/// A run that waits for the first answer.
pub(super) fn asking() -> (ActiveRun<Approve>, RunHandle) {
    let mut active = Approve::runner().model(model()).start(Desk::default()).unwrap();
    let handle = active.handle();
    let events = until_waiting(&mut active);
    assert!(matches!(events.last(), Some(RunEvent::Asked { .. })), "{events:?}");
    (active, handle)
}

pub(super) fn yes() -> Value {
    json!({ "approved": true, "remark": null })
}

fn no() -> Value {
    json!({ "approved": false, "remark": "no" })
}

#[tokio::test]
async fn an_answer_is_validated_and_committed() {
    let (mut active, handle) = asking();
    let call = active.question().unwrap();
    assert_eq!((call.task, call.key.attempt()), (ApproveTask::Ask, 1));
    assert_eq!(call.as_question().unwrap().text, "May `hello` go out?");
    assert_eq!(
        call.as_question().unwrap().schema.json()["properties"]["approved"]["type"],
        "boolean"
    );
    assert!(call.as_question().unwrap().issues.is_none());

    let wrong = handle.answer(&json!({ "approved": "perhaps", "remark": "far too long a remark" }));
    let right = handle.answer(&yes());
    let (wrong, right, run) = tokio::join!(wrong, right, active.finish());
    let Err(AnswerError::Refused(issues)) = wrong else { panic!("{wrong:?}") };
    assert!(issues.to_string().contains("approved"), "{issues}");
    right.unwrap();
    let run = run.unwrap();
    assert_eq!((shown(&run.outcome), run.state.decisions.len()), ("Done".into(), 1));
}

#[tokio::test]
async fn a_refused_answer_is_asked_for_again_with_its_issues() {
    let (mut active, handle) = asking();
    let answered = tokio::spawn(handle.answer(&json!("maybe")));
    let events = until_waiting(&mut active);
    assert!(matches!(
        events[..],
        [RunEvent::AttemptFailed { will_retry: true, .. }, RunEvent::Asked { .. }]
    ));
    assert!(matches!(answered.await.unwrap(), Err(AnswerError::Refused(_))));
    let call = active.question().unwrap();
    assert_eq!(call.key.attempt(), 2);
    assert!(call.as_question().unwrap().issues.is_some());
}

#[tokio::test]
async fn an_answer_comes_in_vain_when_nothing_is_asked() {
    let model = Asked::never();
    let mut active = Approve::runner().model(model).start(Desk::default()).unwrap();
    until_waiting(&mut active);
    let answered = tokio::spawn(active.handle().answer(&yes()));
    until_waiting(&mut active);
    assert!(matches!(answered.await.unwrap(), Err(AnswerError::NotAsked)));
    assert!(active.question().is_none());
}

#[tokio::test]
async fn the_second_of_two_answers_to_one_question_is_in_vain() {
    let (mut active, handle) = asking();
    let (one, two) = (handle.answer(&no()), handle.answer(&yes()));
    // The next task asks too, and its question is not answered by what was meant for another.
    let events = until_waiting(&mut active);
    assert!(matches!(events.last(), Some(RunEvent::Asked { task: ApproveTask::Again, .. })));
    one.await.unwrap();
    assert!(matches!(two.await, Err(AnswerError::NotAsked)));
    let (third, run) = tokio::join!(handle.answer(&yes()), active.finish());
    third.unwrap();
    assert_eq!(run.unwrap().state.decisions.len(), 2);
}

#[tokio::test]
async fn after_the_end_every_answer_hears_so() {
    let (mut active, handle) = asking();
    let answer = handle.answer(&yes());
    while active.next().await.is_some() {}
    answer.await.unwrap();
    // The run is over, whether somebody still holds it or not.
    assert!(matches!(handle.answer(&yes()).await, Err(AnswerError::Over)));
    drop(active);
    assert!(matches!(handle.answer(&yes()).await, Err(AnswerError::Over)));
}

#[tokio::test]
async fn a_dropped_run_tells_whoever_has_answered() {
    let (active, handle) = asking();
    let pending = handle.answer(&yes());
    drop(active);
    assert!(matches!(pending.await, Err(AnswerError::Over)));

    let (active, handle) = asking();
    let pending = handle.answer(&yes());
    handle.cancel("enough");
    let run = active.finish().report().await.unwrap();
    assert!(shown(&run.outcome).contains("Cancelled"));
    assert!(matches!(pending.await, Err(AnswerError::Over)));
}

#[tokio::test]
async fn what_is_no_json_is_no_answer() {
    let (_active, handle) = asking();
    let answer = std::collections::BTreeMap::from([(vec![1], 1)]);
    assert!(matches!(handle.answer(&answer).await, Err(AnswerError::Json(_))));
}

#[tokio::test]
async fn an_answer_from_another_thread_wakes_the_run() {
    let (active, handle) = asking();
    let run = tokio::spawn(active.finish());
    tokio::task::yield_now().await;
    let answered = tokio::task::spawn_blocking(move || {
        tokio::runtime::Handle::current().block_on(handle.answer(&yes()))
    });
    assert_eq!(run.await.unwrap().unwrap().state.decisions.len(), 1);
    answered.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_person_is_asked_until_the_answer_is_good() {
    let heard = Heard::default();
    let asked = heard.clone();
    let runner = Approve::runner().model(model()).person(move |question: Arc<_>| {
        let question: Arc<cot_core::Question> = question;
        let asked = asked.clone();
        async move {
            asked.add(format!("{} {}", question.text, question.issues.is_some()));
            if question.issues.is_some() { yes() } else { json!({ "approved": "?" }) }
        }
    });
    let run = runner.run(Desk::default()).await.unwrap();
    assert_eq!(heard.words(), ["May `hello` go out? false", "May `hello` go out? true"]);
    assert_eq!(run.state.decisions, [Decision { approved: true, remark: None }]);
}

#[tokio::test]
async fn without_anybody_to_answer_nothing_begins() {
    let model = Asked::always(note("hello"));
    let runner = Approve::runner().model(model.clone());
    let error = runner.run(Desk::default()).await.unwrap_err();
    assert!(
        matches!(&error, RunError::NobodyAnswers { tasks } if *tasks == ["ask", "again"]),
        "{error}"
    );
    assert!(error.to_string().contains("`ask`, `again` ask people"), "{error}");
    assert_eq!(model.calls.all(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_person_has_so_much_time() {
    let (active, handle) = asking();
    let began = tokio::time::Instant::now();
    let run = active.finish().report().await.unwrap();
    assert_eq!(shown(&run.outcome), "Late(\"nobody answered\")");
    assert_eq!(began.elapsed(), Duration::from_secs(3600));
    assert!(matches!(handle.answer(&yes()).await, Err(AnswerError::Over)));

    let runner = Approve::runner().model(model()).person(|_| std::future::pending::<Decision>());
    let run = runner.report(Desk::default()).await.unwrap();
    assert_eq!(shown(&run.outcome), "Late(\"nobody answered\")");
}

#[tokio::test]
async fn a_question_survives_a_snapshot() {
    let (mut active, _) = asking();
    until_waiting(&mut active);
    let json = active.snapshot().unwrap().to_json().unwrap();
    drop(active);
    let machine =
        Machine::<Approve>::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new());
    let model = Asked::never();
    let runner = Approve::runner().model(model.clone());
    let mut active = runner.start_machine(machine.unwrap()).unwrap();
    // Seen and answered before the run has come to ask it.
    assert_eq!(active.question().unwrap().as_question().unwrap().text, "May `hello` go out?");
    let (answered, run) = tokio::join!(active.handle().answer(&yes()), active.finish());
    answered.unwrap();
    assert_eq!(run.unwrap().state.decisions.len(), 1);
    assert_eq!(model.calls.all(), 0);
}
