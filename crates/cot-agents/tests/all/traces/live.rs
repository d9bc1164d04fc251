//! Traces of runs that are observed.

use cot_core::{
    RunEvent,
    task_format::{RunRecorder, Trace},
};

use crate::traces::{
    lossless::assert_sound,
    office::{Desk, Office, OfficeOutcome, model, runner},
};

async fn recorded(route: &[&'static str]) -> (Trace, OfficeOutcome) {
    let recorder = RunRecorder::<Office>::new("Tidy the 「desk」");
    let runner = runner().model(model(route)).observe(recorder.observer());
    let run = runner.report(Desk::default()).await.unwrap();
    (recorder.trace(), run.outcome)
}

#[track_caller]
fn assert_contains(trace: &Trace, parts: &[&str]) {
    let text = trace.to_string();
    for part in parts {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[tokio::test]
async fn sub_processes_are_recorded_at_all_depths() {
    let (trace, outcome) = recorded(&["write", "nest", "bake", "done"]).await;
    assert_eq!(outcome, OfficeOutcome::Done);
    let report = assert_sound(&trace);
    assert!(report.tools.contains(&"Improving::spell".to_owned()), "{:?}", report.tools);
    assert_contains(
        &trace,
        &[
            "5 ↦ \"nest/improve: Improve it\"",
            "`nest` runs the process `Improving`",
            "tool ↦ \"Improving::confirm\" •\n        question ↦ ",
            "\"bake[0]/improve: Improve it\"",
            "`bake` runs the process `Improving` for item 1",
            "`improve` leads to `spell`, by arm 0 of its `next`",
        ],
    );
}

#[tokio::test]
async fn items_and_branches_are_recorded() {
    let route = ["write", "write", "write", "each", "weigh", "race", "first", "done"];
    let (trace, outcome) = recorded(&route).await;
    assert_eq!(outcome, OfficeOutcome::Done);
    assert_sound(&trace);
    assert_contains(
        &trace,
        &[
            "item ↦ 1 •\n        output ↦ {",
            "tool ↦ weigh •\n        item ↦ 0",
            "the branch `ann` joined",
            "the branch `ben` joined",
            "the branch `slow` was cancelled",
            "`ann` leads to `ann_checks`",
        ],
    );
}

#[tokio::test]
async fn tools_and_questions_are_recorded() {
    let (trace, outcome) = recorded(&["ask", "order", "done"]).await;
    assert_eq!(outcome, OfficeOutcome::Done);
    let report = assert_sound(&trace);
    assert!(!report.tools.contains(&"fly".to_owned()));
    assert_contains(
        &trace,
        &[
            "question ↦ \"What 「now」?\"",
            "tool ↦ search •\n        arguments ↦ {",
            "called `fly`: there is no tool",
            "May the tool be called?",
            "the card was declined",
            "too 「dear」",
        ],
    );
}

#[tokio::test]
async fn a_trace_is_sound_at_any_time() {
    let route = [
        "write", "look", "ask", "nest", "each", "weigh", "bake", "race", "first", "order", "broken",
    ];
    let recorder = RunRecorder::<Office>::new("Tidy");
    let mut run = runner().model(model(&route)).start(Desk::default()).unwrap();
    let mut blocks = 0;
    while let Some(event) = run.next().await {
        recorder.record(&event);
        let is_over = matches!(event, RunEvent::Finished { .. });
        let trace = recorder.trace();
        assert_eq!(!trace.to_string().contains("The run is not over."), is_over);
        blocks = assert_sound(&trace).blocks.len();
    }
    assert!(blocks > 80, "{blocks}");
    assert_contains(&recorder.trace(), &["The run failed at `broken`: it is 」 broken"]);
}
