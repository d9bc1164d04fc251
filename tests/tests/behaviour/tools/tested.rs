//! What the test kit does with tools, and what traces show of them.

use std::sync::Arc;

use cot_core::{
    Approval,
    model::{ModelReply, ScriptedModel, ToolCall},
    task_format::{self, RunRecorder},
    testing::{Coverage, Monkey, MonkeyModel},
};
use serde_json::json;

use super::shop::{App, Shop, ShopTask, answer, open, words};

#[test]
fn the_monkey_calls_tools_in_every_way() {
    let report = Monkey::<Shop>::with_context(App::default(), |_| open()).runs(400).run();
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let coverage = report.coverage();
    assert!(coverage.visits(ShopTask::Answer) >= 400, "{coverage}");
    let missing = coverage.missing().join("\n");
    assert!(!missing.contains("never called"), "{missing}");
    for end in [ShopTask::Done, ShopTask::Lost, ShopTask::Unknown] {
        assert!(coverage.visits(end) > 0, "{coverage}");
    }
}

#[tokio::test]
async fn coverage_counts_the_tools_of_a_task() {
    let coverage = Coverage::<Shop>::new();
    let model = ScriptedModel::new([
        ModelReply::calling([ToolCall::new("search", words("a")), ToolCall::new("fly", "{}")]),
        answer("found").into(),
    ]);
    let runner = Shop::runner(App::default()).model(model).observe(coverage.watch());
    runner.person(|_| async { Approval::approve() }).run(open()).await.unwrap();
    let missing = coverage.missing();
    assert!(missing.contains(&"`answer` never called the tool `pay`".to_owned()), "{missing:?}");
    assert!(missing.contains(&"`answer` never called the tool `read_file`".to_owned()));
    assert!(!missing.join("\n").contains("`search`"));
    let table = coverage.to_string();
    assert!(table.contains("1/4, not pay, hours, read_file"), "{table}");
}

#[tokio::test]
async fn a_monkey_model_calls_tools_in_a_run() {
    let app = Arc::new(App::default());
    for seed in 0..40 {
        let runner = Shop::runner(Arc::clone(&app)).model(MonkeyModel::seeded(seed));
        runner.person(|_| async { Approval::approve() }).run(open()).await.unwrap();
    }
    assert!(app.log.lock().unwrap().len() > 10);
}

#[tokio::test]
async fn a_trace_shows_the_calls() {
    let recorder = RunRecorder::<Shop>::new("Buy it");
    let model = ScriptedModel::new([
        ModelReply::calling([
            ToolCall::new("search", words("a")),
            ToolCall::new("fly", "{}"),
            ToolCall::new("pay", json!({ "cents": 14 })),
        ]),
        answer("found").into(),
    ]);
    let runner = Shop::runner(App::default()).model(model).observe(recorder.observer());
    runner.person(|_| async { Approval::approve() }).run(open()).await.unwrap();
    let text = recorder.trace().to_string();
    assert!(task_format::check(&text).is_valid(), "{text}\n{:?}", task_format::check(&text));
    for shown in
        ["tool ↦ search", "a found", "the card was declined", "called `fly`: there is no tool"]
    {
        assert!(text.contains(shown), "{shown} is not in {text}");
    }
}
