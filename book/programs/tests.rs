use cot_core::{
    TaskEnd,
    testing::{Coverage, Monkey, MonkeyError},
};

use super::*;

// ANCHOR: task
fn shop() -> Shop {
    Shop { orders: HashMap::from([("4711", "3 screens in stock")]) }
}

fn classified() -> TriageState {
    let class = Class {
        reason: "The screen is cracked.".to_owned(),
        category: Category::Defect,
        urgency: Urgency::Normal,
        order: Some("4711".to_owned()),
    };
    TriageState { class: Some(class), ..TriageState::new(TICKET.to_owned()) }
}

#[tokio::test]
async fn only_critical_tickets_can_be_left_to_a_person() {
    let choice = |to: &str| json!({ "goTo": to, "intent": "", "stepAfter": "" });
    let model = ScriptedModel::new([choice("escalate"), choice("answer")]);
    let runner = Triage::runner(shop()).model(model);
    let run = runner.run_task(TriageTask::Decide, classified()).await.unwrap();
    assert!(matches!(run.end, TaskEnd::Went { go_to: TriageTask::Answer, .. }), "{run:?}");
    assert_eq!(run.attempts.len(), 1, "the hidden transition was rejected");
}
// ANCHOR_END: task

// ANCHOR: prompt
#[tokio::test]
async fn a_mail_is_written_by_a_model_that_has_seen_the_order() {
    let model = std::sync::Arc::new(ScriptedModel::new([
        ModelReply::calling([ToolCall::new("order_status", json!({ "number": "4711" }))]),
        json!({ "subject": "Your order", "body": "It is on its way." }).into(),
    ]));
    let runner = Triage::runner(shop()).model(std::sync::Arc::clone(&model));
    let run = runner.run_task(TriageTask::Answer, classified()).await.unwrap();
    assert_eq!(run.state.mail.unwrap().subject, "Your order");
    let last = &model.requests()[1];
    assert!(last.prompt().contains("cracked screen"));
    assert!(format!("{:?}", last.rounds).contains("3 screens in stock"));
}
// ANCHOR_END: prompt

// ANCHOR: monkey
#[test]
fn nothing_is_sent_without_a_person() -> Result<(), MonkeyError<Triage>> {
    let coverage = Coverage::new();
    let report = Monkey::<Triage>::with_context(shop(), |_| TriageState::new(TICKET.to_owned()))
        .seed(7)
        .runs(500)
        .coverage(&coverage)
        .step_invariant("the ticket never changes", |old, new| old.ticket == new.ticket)
        .end_invariant("what is sent was approved, or asks for something", |outcome, state| {
            let approved = state.release.as_ref().is_some_and(|release| release.approved);
            *outcome != TriageOutcome::Sent || approved || state.release.is_none()
        })
        .run()?;
    assert!(report.ended("sent") > 0, "{report}");
    assert!(coverage.share() > 0.9, "{coverage}");
    Ok(())
}
// ANCHOR_END: monkey
