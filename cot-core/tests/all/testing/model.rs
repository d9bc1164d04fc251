//! The model with random replies.

use std::sync::Arc;

use cot_core::{
    RunEvent, RunReport, TaskId,
    model::{FinishReason, LanguageModel, ModelRequest},
    testing::{Mixture, MonkeyModel, ReplyKind},
};

use crate::testing::desk::{Desk, DeskOutcome, DeskTask, Notes};

#[tokio::test]
async fn a_seed_makes_one_run() {
    let mut outcomes = Vec::new();
    for seed in 0..40 {
        let (first, again) = (run(seed).await, run(seed).await);
        let outcome = ending(&first);
        assert_eq!(outcome, ending(&again));
        assert_eq!(first.state, again.state);
        assert_eq!(first.usage, again.usage);
        assert!(first.usage.calls > 0);
        if !outcomes.contains(&outcome) {
            outcomes.push(outcome);
        }
    }
    assert!(outcomes.len() > 3, "{outcomes:?}");
}

/// The outcome without the times of the calls.
fn ending(run: &RunReport<Desk>) -> String {
    match &run.outcome {
        DeskOutcome::Halted(halt) => format!("{} {} {halt}", halt.task, halt.reason),
        other => format!("{other:?}"),
    }
}

async fn run(seed: u64) -> RunReport<Desk> {
    let mixture = Mixture::default().with(ReplyKind::Truncated, 5).with(ReplyKind::Failed, 5);
    let model = MonkeyModel::seeded(seed).mixture(mixture).naming(DeskTask::ALL);
    Desk::runner().model(model).report(Notes::default()).await.unwrap()
}

#[tokio::test]
async fn another_seed_begins_anew() {
    let run = async |model: MonkeyModel| {
        Desk::runner().model(model).report(Notes::default()).await.unwrap().state
    };
    let used = Arc::new(MonkeyModel::seeded(1));
    Desk::runner().model(Arc::clone(&used)).report(Notes::default()).await.unwrap();
    for seed in 2..12 {
        assert_eq!(run(used.reseeded(seed)).await, run(MonkeyModel::seeded(seed)).await);
        assert_eq!(used.reseeded(seed).seed(), seed);
    }
}

#[tokio::test]
async fn kinds_end_as_they_should() {
    let request = ModelRequest::new("Say something.");
    for seed in 0..50 {
        let model = |kind| MonkeyModel::seeded(seed).mixture(Mixture::only(kind));
        let finish = async |kind| model(kind).reply(&request).await.unwrap().finish;
        assert_eq!(finish(ReplyKind::Valid).await, FinishReason::Stop);
        assert_eq!(finish(ReplyKind::Hostile).await, FinishReason::Stop);
        assert_eq!(finish(ReplyKind::Truncated).await, FinishReason::Length);
        assert_eq!(finish(ReplyKind::Refused).await, FinishReason::Refusal);
        assert!(model(ReplyKind::Failed).reply(&request).await.is_err());
        assert_eq!(model(ReplyKind::Valid).seed(), seed);
    }
}

#[tokio::test]
async fn valid_replies_alone_are_never_refused() {
    for seed in 0..40 {
        let model = MonkeyModel::seeded(seed).mixture(Mixture::only(ReplyKind::Valid));
        let runner = Desk::runner().model(model).observe(|event, _| {
            if let RunEvent::AttemptFailed { attempt, .. } = event {
                panic!("{attempt:?}");
            }
        });
        let run = runner.report(Notes::default()).await.unwrap();
        assert!(!run.state.notes.is_empty());
    }
}

#[tokio::test]
async fn tasks_that_are_not_offered_are_chosen_by_name() {
    let model = MonkeyModel::seeded(1).mixture(Mixture::only(ReplyKind::NearlyValid));
    let model = Arc::new(model.naming(DeskTask::ALL));
    let schema = serde_json::json!({
        "type": "object", "properties": { "goTo": { "enum": ["send"] } }, "required": ["goTo"],
    });
    let mut request = ModelRequest::new("Where to?");
    request.schema =
        Some(Arc::new(cot_core::model::ReplySchema { name: "x".into(), json: schema }));
    let mut texts = String::new();
    for _ in 0..100 {
        texts.push_str(&model.reply(&request).await.unwrap().text);
    }
    assert!(texts.contains(r#""discard""#), "{texts}");
}
