//! What the test kit does with calls of a state, and what traces show of them.

use cot_core::{
    Approval,
    model::ToolCall,
    task_format::{self, RunRecorder},
    testing::{Coverage, Monkey},
};
use serde_json::json;

use super::desk::{App, Desk, DeskTask, Papers, papers, read_call, send_call};

fn desk() -> Papers {
    let [drawer, shred] = ["open_drawer", "shred"].map(|name| ToolCall::new(name, json!({})));
    papers([read_call("a"), send_call("b"), shred, drawer, read_call("cc")])
}

#[test]
fn the_monkey_answers_the_calls_in_every_way() {
    let report = Monkey::<Desk>::with_context(App::default(), |_| desk()).runs(200).run();
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let coverage = report.coverage();
    assert!(coverage.visits(DeskTask::Work) >= 200, "{coverage}");
    for end in [DeskTask::Done, DeskTask::Unknown] {
        assert!(coverage.visits(end) > 0, "{coverage}");
    }
}

#[tokio::test]
async fn coverage_counts_the_tools_of_a_task() {
    let coverage = Coverage::<Desk>::new();
    let runner = Desk::runner(App::default()).observe(coverage.watch());
    runner.person(|_| async { Approval::approve() }).run(desk()).await.unwrap();
    let missing = coverage.missing().join("\n");
    assert!(missing.contains("`work` never called the tool `burn`"), "{missing}");
    assert!(!missing.contains("`read`") && !missing.contains("`send`"), "{missing}");
}

#[tokio::test]
async fn a_trace_shows_the_calls() {
    let recorder = RunRecorder::<Desk>::new("File it");
    let runner = Desk::runner(App::default()).observe(recorder.observer());
    runner.person(|_| async { Approval::approve() }).run(desk()).await.unwrap();
    let text = recorder.trace().to_string();
    assert!(task_format::check(&text).is_valid(), "{text}\n{:?}", task_format::check(&text));
    for shown in
        ["tool ↦ read", "tool ↦ send", "tool ↦ open_drawer", "called `shred`: there is no tool"]
    {
        assert!(text.contains(shown), "{shown} is not in {text}");
    }
    // The tools of the source are not in the declaration.
    assert!(!text.contains("called `open_drawer`"), "{text}");
}
