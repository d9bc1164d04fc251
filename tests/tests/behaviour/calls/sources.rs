//! Sources whose tools are not listed, and tools that are gone.

use std::error::Error;

use cot_core::{Machine, ResumeOptions, SnapshotError, SourceTool, StartError, model::ToolCall};
use serde_json::json;

use super::desk::{App, Desk, DeskOutcome, Drawers, Papers, Visit, papers, read_call};

fn tool(name: &str) -> SourceTool {
    SourceTool::new(name, "Does something", json!({ "type": "object" }))
}

fn with_tools(names: &[&str]) -> App {
    let drawers = Drawers::new(names.iter().map(|name| tool(name)).collect());
    App { drawers, ..App::default() }
}

fn drawer_call() -> ToolCall {
    ToolCall::new("open_drawer", json!({ "label": "x" }))
}

#[test]
fn all_tools_of_a_source_can_be_called() {
    let calls = [drawer_call(), ToolCall::new("lock", json!({}))];
    let app = with_tools(&["lock", "open_drawer"]);
    let mut visit = Visit::with(cot_core::MachineOptions::default(), app, papers(calls));
    visit.run();
    assert_eq!(visit.outcome(), DeskOutcome::Done);
    let texts = [
        r#"["open_drawer",{"label":"x"},"run/work#1+tool-1"]"#,
        r#"["lock",{},"run/work#1+tool-2"]"#,
    ];
    assert_eq!(visit.results(), texts.map(|text| Ok(text.to_owned())));
}

#[test]
fn two_tools_of_the_same_name_are_a_start_error() {
    let error = |app: App| Machine::<Desk>::with_context(app).start(Papers::default()).unwrap_err();
    let taken = error(with_tools(&["read"]));
    assert!(matches!(taken, StartError::DuplicateTool { .. }), "{taken:?}");
    assert_eq!(
        taken.to_string(),
        "the tool `read` exists twice: `read` and `drawers` have it; a call names its tool, so give one of the two \
         another name"
    );
    let twice = error(with_tools(&["lock", "lock"])).to_string();
    assert!(twice.contains("the source `drawers` lists it two times"), "{twice}");
}

#[test]
fn a_tool_that_is_gone_when_the_task_starts_is_answered() {
    let mut visit = Visit::with(
        cot_core::MachineOptions::default(),
        with_tools(&[]),
        papers([drawer_call(), read_call("a")]),
    );
    visit.run();
    assert_eq!(visit.outcome(), DeskOutcome::Done);
    let error = visit.results()[0].clone().unwrap_err();
    assert!(error.starts_with("there is no tool \"open_drawer\""), "{error}");
}

#[test]
fn a_pending_call_of_a_tool_that_is_gone_is_answered_after_a_restart() {
    let mut visit = Visit::new(papers([drawer_call(), read_call("a"), drawer_call()]));
    assert_eq!(visit.keys().len(), 2);
    visit.resume_with(with_tools(&["lock"]));
    while !visit.due().is_empty() {
        visit.run();
    }
    assert_eq!(visit.outcome(), DeskOutcome::Done);
    let results = visit.results();
    assert!(results[0].clone().unwrap_err().starts_with("there is no tool \"open_drawer\""));
    assert_eq!(results[1], Ok("1".to_owned()));
    assert!(results[2].is_err());
}

#[test]
fn names_that_models_cannot_write_are_a_start_error() {
    for name in ["", "my tool", "tool\n", "tool!", &"x".repeat(129)] {
        let machine = &mut Machine::<Desk>::with_context(with_tools(&["lock", name]));
        let error = machine.start(Papers::default()).unwrap_err();
        assert!(matches!(error, StartError::ToolName { .. }), "{name:?}: {error}");
        assert!(error.to_string().contains("the source of tools `drawers`"), "{error}");
    }
    let allowed = with_tools(&["a/b", "x.y:z-1_", "fraîche", &"x".repeat(128)]);
    Machine::<Desk>::with_context(allowed).start(Papers::default()).unwrap();
}

#[test]
fn a_run_does_not_resume_with_two_tools_of_the_same_name() {
    let mut visit = Visit::new(papers([read_call("a")]));
    visit.due();
    for (names, why) in [(["read", "lock"], "exists twice"), (["my tool", "lock"], "128")] {
        let snapshot = visit.machine.snapshot().unwrap();
        let (options, app) = (ResumeOptions::new(), with_tools(&names));
        let resumed = Machine::<Desk>::resume_with_context(snapshot, options, app, "run");
        let error = resumed.map(drop).unwrap_err();
        assert!(matches!(error, SnapshotError::Tools(_)), "{error}");
        assert!(error.source().unwrap().to_string().contains(why), "{error:?}");
    }
}

#[test]
fn the_error_of_an_unknown_tool_lists_a_few_of_many() {
    let names: Vec<String> = (0..30).map(|number| format!("tool_{number}")).collect();
    let app = with_tools(&names.iter().map(|name| &**name).collect::<Vec<_>>());
    let calls = papers([ToolCall::new("xylophone", json!({}))]);
    let mut visit = Visit::with(cot_core::MachineOptions::default(), app, calls);
    assert_eq!(visit.outcome(), DeskOutcome::Done);
    let error = visit.results()[0].clone().unwrap_err();
    assert_eq!(error.matches("tool_").count(), 18, "{error}");
    assert!(error.ends_with(", and 12 more"), "{error}");
}
