//! Tasks of tool calls in descriptions, manifests, diagrams and versions.

use cot_core::{Description, Process, Snapshot, SnapshotError};
use serde_json::json;

use super::desk::{App, Desk, DeskOutcome, Visit, papers, read_call};

#[test]
fn a_description_says_what_the_task_does() {
    let described = Description::new::<Desk>();
    let text = described.text();
    for line in [
        "work (performs tool calls)",
        "Tool: drawers: all tools of a source\n",
        "tools read and send and burn and drawers",
        "at most 2 at once",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    let manifest = described.manifest();
    assert_eq!(manifest["tools"][3]["only"], json!("all"));
    let task = &manifest["tasks"][0];
    assert_eq!((&task["kind"], &task["max_concurrency"]), (&json!("calls"), &json!(2)));
    assert_eq!(task["max_tool_calls"], json!(null));
    assert!(described.dot().contains("component"), "{}", described.dot());
    assert!(Desk::DEFINITION.mermaid.contains("t0(\"work\")"), "{}", Desk::DEFINITION.mermaid);
}

#[test]
fn a_run_in_the_middle_of_a_round_depends_on_its_tools_and_not_on_prompts() {
    let mut visit = Visit::new(papers([read_call("a")]));
    visit.due();
    let mut json = serde_json::to_value(visit.machine.snapshot().unwrap()).unwrap();
    for prompts in ["work", "(process)"] {
        json["fingerprint"]["prompts"][prompts] = json!("0000000000000000");
    }
    let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
    let options = cot_core::ResumeOptions::new();
    let resumed = cot_core::Machine::resume_with_context(snapshot, options, App::default(), "run");
    visit.machine = resumed.unwrap();
    visit.run();
    assert_eq!(visit.outcome(), DeskOutcome::Done);

    // The hash has the names, schemas, effects and approvals of the tools.
    let mut other = json.clone();
    other["fingerprint"]["schemas"]["work"] = json!("0000000000000000");
    let snapshot = Snapshot::from_json(&other.to_string()).unwrap();
    let options = cot_core::ResumeOptions::new();
    let resumed =
        cot_core::Machine::<Desk>::resume_with_context(snapshot, options, App::default(), "run");
    let error = resumed.map(drop).unwrap_err();
    assert!(matches!(error, SnapshotError::Incompatible { .. }), "{error}");

    json["fingerprint"]["graph"]["work"] = json!("0000000000000000");
    json["position"] = json!({ "running": json["position"]["calling_tools"] });
    let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
    let options = cot_core::ResumeOptions::new();
    let resumed =
        cot_core::Machine::<Desk>::resume_with_context(snapshot, options, App::default(), "run");
    let error = resumed.map(drop).unwrap_err().to_string();
    assert!(error.contains("work"), "{error}");
}
