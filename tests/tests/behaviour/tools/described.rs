//! Tools in descriptions, manifests and versions.

use cot_core::{Description, Process, Snapshot};
use serde_json::json;

use super::shop::{Shop, Visit, open, words};

#[test]
fn a_description_lists_the_tools() {
    let described = Description::new::<Shop>();
    let text = described.text();
    for line in [
        "Tool: search: Searches the catalogue (at most 30s, retries 1)\n",
        "Tool: pay: Charges the card (called once, approved by a person, at most 20s)\n",
        "Tool: hours: Says when the shop is open\n",
        "Tool: files: read_file of a source (at most 10s)\n",
        "tools search and pay and hours and files in at most 6 calls",
        "History: all entries, with the calls of tools\n",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    let manifest = described.manifest();
    let tools = &manifest["tools"];
    assert_eq!(tools[0]["schema"]["required"], json!(["words"]));
    assert_eq!((&tools[1]["approve"], &tools[1]["once"]), (&json!(true), &json!(true)));
    assert_eq!(tools[3]["only"], json!(["read_file"]));
    assert_eq!(manifest["tasks"][0]["tools"], json!(["search", "pay", "hours", "files"]));
    assert_eq!(manifest["tasks"][0]["max_tool_calls"], json!(6));
    assert_eq!(Shop::DEFINITION.tools.tools.len(), 4);
}

#[test]
fn a_run_in_the_middle_of_a_round_stands_on_its_tools() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("a"))]);
    let mut json = serde_json::to_value(visit.machine.snapshot().unwrap()).unwrap();
    // As if the tools had other schemas when the run was stored.
    json["fingerprint"]["schemas"]["answer"] = json!("0000000000000000");
    let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
    let options = cot_core::ResumeOptions::new();
    let app = super::shop::App::default();
    let resumed = cot_core::Machine::<Shop>::resume_with_context(snapshot, options, app, "run");
    let error = resumed.map(drop).unwrap_err().to_string();
    assert!(error.contains("answer"), "{error}");
}
