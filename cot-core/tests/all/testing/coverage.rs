//! Coverage reports.

use cot_core::{
    model::ScriptedModel,
    testing::{Coverage, Mixture, MonkeyModel, ReplyKind},
};
use serde_json::{Value, json};

use crate::testing::desk::{Desk, DeskTask, Notes};

#[tokio::test]
async fn a_run_is_shown_as_a_table() {
    let coverage = Coverage::<Desk>::new();
    run(&coverage, with_one_revision()).await;
    assert_eq!(
        coverage.to_string(),
        "\
task      visits  retries  transitions       routes
classify       1        0  -                 1/2, not ask
ask            0        0  -                 0/1, not review
review         2        0  2/3, not discard  -
revise         1        1  -                 1/1
send           1        -  -                 -
discard        0        -  -                 -
4 of 6 tasks, 52 % covered"
    );
    assert_eq!(
        coverage.missing(),
        [
            "`classify` never continued with `ask`",
            "`classify` was never retried",
            "`ask` was never visited",
            "`review` never chose `discard`",
            "`review` was never retried",
            "`discard` was never visited",
        ]
    );
    assert!((coverage.share() - 9.0 / 17.0).abs() < 1e-9);
    assert_eq!(coverage.visits(DeskTask::Review), 2);
}

#[tokio::test]
async fn reports_are_shared_and_merged() {
    let some = Coverage::<Desk>::new();
    assert_eq!(some.share(), 0.0);
    run(&some.clone(), with_one_revision()).await;
    let more = Coverage::<Desk>::default();
    run(&more, vec![json!({ "text": "a" }), json!({ "text": "b" }), go("send")]).await;
    assert_eq!(some.visits(DeskTask::Review), 2);
    some.merge(&more);
    assert_eq!(some.visits(DeskTask::Review), 3);
    assert!(!some.missing().iter().any(|line| line.contains("never went on")));
    // Merges a clone into its original, which must not lock twice.
    some.merge(&some.clone());
    assert_eq!(some.visits(DeskTask::Review), 3);
    assert_eq!(more.visits(DeskTask::Review), 1);
}

#[tokio::test]
async fn monkeys_come_everywhere() {
    let coverage = Coverage::<Desk>::new();
    let mixture = Mixture::default().with(ReplyKind::NearlyValid, 30);
    for seed in 0..60 {
        let model = MonkeyModel::seeded(seed).mixture(mixture);
        let runner = Desk::runner().model(model).observe(coverage.watch());
        runner.report(Notes::default()).await.unwrap();
    }
    assert_eq!(coverage.missing(), [""; 0], "{coverage}");
    assert_eq!(coverage.share(), 1.0);
}

async fn run(coverage: &Coverage<Desk>, replies: Vec<Value>) {
    let runner = Desk::runner().model(ScriptedModel::new(replies)).observe(coverage.watch());
    runner.run(Notes::default()).await.unwrap();
}

fn with_one_revision() -> Vec<Value> {
    vec![
        json!({ "text": "a parcel" }),
        go("revise"),
        json!({ "text": "a text that is too long" }),
        json!({ "text": "a parcel!" }),
        go("send"),
    ]
}

fn go(to: &str) -> Value {
    json!({ "intent": "go on", "goTo": to, "stepAfter": "none" })
}
