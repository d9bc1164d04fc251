//! Questions to people, and runs that are cancelled.

use std::time::Duration;

use cot_core::{HaltReason, model::ModelErrorKind};
use cot_restate::{Activity, AnswerOutcome, Outcome};
use serde_json::{Value, json};

use crate::{
    processes::{Decision, PatienceState, PileState, StepsState, TourState},
    world::{World, until},
};

fn answer(_: &str) -> Value {
    json!({ "text": "fine" })
}

fn yes() -> Value {
    json!({ "approved": true, "remark": null })
}

#[tokio::test]
async fn an_answer_that_is_not_valid_is_refused_with_its_issues() {
    let Some(world) = World::start(answer, Duration::ZERO).await else { return };
    world.send("Tour", "bea", TourState::new(Vec::new())).await;
    world.until_asked("Tour", "bea").await;
    let wrong = json!({ "approved": "perhaps", "remark": "far too long a remark" });
    let issues = world.answer("Tour", "bea", &wrong).await.issues.unwrap();
    let paths: Vec<_> = issues.iter().map(|issue| issue.path.as_str()).collect();
    assert_eq!(paths, ["$.approved", "$.remark"]);
    // It matches the schema, but not the check, which reads the state.
    let again = world.until_asked("Tour", "bea").await.question.unwrap();
    let refused = world.answer("Tour", "bea", &json!({ "approved": false, "remark": null })).await;
    let AnswerOutcome { accepted: false, issues: Some(issues), .. } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(issues.to_string(), "$.remark: is missing: say why not");
    assert_eq!(again.call, "approve#1@2");
    assert_eq!(again.issues.unwrap().iter().count(), 2);

    until("the third question", || async {
        let question = world.status("Tour", "bea").await.question;
        question.filter(|question| question.call == "approve#1@3")
    })
    .await;
    let stale = json!({ "call": "approve#1@2", "answer": yes() });
    let reply = world.post("Tour", "bea", "answer", &stale).await;
    assert_eq!(reply.status(), 409);
    assert!(
        reply.text().await.unwrap().contains("the run has another question now: `approve#1@3`")
    );

    let no = json!({ "approved": false, "remark": "too dull" });
    let no = json!({ "call": "approve#1@3", "answer": no });
    let both = tokio::join!(
        world.post("Tour", "bea", "answer", &no),
        world.post("Tour", "bea", "answer", &no),
    );
    let mut codes = [both.0.status().as_u16(), both.1.status().as_u16()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "one of two answers counts");
    let ended = world.attach::<TourState>("Tour", "bea").await;
    let Outcome::Fail { task, why } = ended.outcome else { panic!("{:?}", ended.outcome) };
    assert_eq!((task.as_str(), why.contains("too dull")), ("refused", true));
    let remark = Some("too dull".to_owned());
    assert_eq!(ended.state.decision, Some(Decision { approved: false, remark }));
    let reply = world.post("Tour", "bea", "answer", &json!({ "answer": yes() })).await;
    assert_eq!(reply.status(), 409, "the run is over");
}

#[tokio::test]
async fn a_question_that_nobody_answers_times_out() {
    let Some(world) = World::start(answer, Duration::ZERO).await else { return };
    world.send("Patience", "carl", PatienceState::default()).await;
    let ended = world.attach::<PatienceState>("Patience", "carl").await;
    assert_eq!(ended.outcome, Outcome::End { task: "late".to_owned() });
    assert_eq!(world.status("Patience", "carl").await.question, None);
}

#[tokio::test]
async fn a_run_that_is_cancelled_ends_as_such() {
    let Some(world) = World::start(answer, Duration::ZERO).await else { return };
    // During a model call, a question, and calls for several items.
    world.model.hold("");
    let steps = world.send("Steps", "dora", StepsState::new("dora".to_owned(), 9)).await;
    let pile = world.send("Pile", "dora", PileState::new("p".to_owned(), (0..9).collect())).await;
    world.model.until("", 5).await;
    world.cancel(&steps).await;
    world.cancel(&pile).await;
    let ended = world.attach::<PileState>("Pile", "dora").await;
    assert_cancelled(&ended.outcome, "read");
    world.model.release();
    let ended = world.attach::<StepsState>("Steps", "dora").await;
    assert_cancelled(&ended.outcome, "write");
    assert!(ended.state.notes.is_empty(), "a reply that came too late is not taken");
    assert_eq!(world.model.prompts().len(), 5, "no call was begun any more");

    let tour = world.send("Tour", "dora", TourState::new(Vec::new())).await;
    world.until_asked("Tour", "dora").await;
    world.cancel(&tour).await;
    assert_cancelled(&world.attach::<TourState>("Tour", "dora").await.outcome, "approve");
    assert_eq!(world.status("Tour", "dora").await.doing, Activity::Ended);
}

fn assert_cancelled(outcome: &Outcome, at: &str) {
    let Outcome::Halted { task, reason: HaltReason::Cancelled(_), .. } = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(task, at);
}

#[tokio::test]
async fn what_can_not_start_is_refused_and_what_can_not_be_reached_is_data() {
    let Some(world) = World::start(answer, Duration::ZERO).await else { return };
    let start = json!({ "state": { "name": 7 } });
    let reply = world.post("Steps", "emil", "run", &start).await;
    assert_eq!(reply.status(), 400, "{}", reply.text().await.unwrap());
    for run in ["nobody", "emil"] {
        assert_eq!(world.try_status("Steps", run).await.unwrap_err(), 404);
        let reply = world.post("Steps", run, "answer", &json!({ "answer": yes() })).await;
        assert_eq!(reply.status(), 404, "{}", reply.text().await.unwrap());
    }

    world.model.refuse();
    world.send("Steps", "fritz", StepsState::new("fritz".to_owned(), 1)).await;
    let ended = world.attach::<StepsState>("Steps", "fritz").await;
    let Outcome::Halted { reason: HaltReason::Unreachable(error), .. } = ended.outcome else {
        panic!("{:?}", ended.outcome)
    };
    assert!(matches!(error.kind(), ModelErrorKind::Status { code: 400, .. }), "{error:?}");
}
