//! `cot runs case`.

use cot_core::{CotOutput, cot_process, model::ScriptedModel};
use cot_eval::Case;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::world::{World, wait};

#[test]
fn a_run_becomes_a_case() {
    let world = World::with_runs();
    let start = world.json(&["show", "done", "--at", "0"])[0]["state"].clone();
    let cases =
        world.printed(&["case", "done", "asking", "--expected", "\"fine\"", "--tag", "old"]);
    let cases: Vec<Value> = cases.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = json!({"name": "done", "state": start, "expected": "fine", "tags": ["old"]});
    assert_eq!((cases.len(), &cases[0]), (2, &expected));
}

#[test]
fn the_end_of_a_run_can_be_what_is_right() {
    let world = World::with_runs();
    let shown = world.json(&["show", "done"]);
    let steps = shown[0]["summary"]["steps"].to_string();
    let end = world.json(&["show", "done", "--at", &steps])[0]["state"].clone();
    let case: Value =
        serde_json::from_str(&world.printed(&["case", "done", "--expected-state"])).unwrap();
    assert_eq!(case["expected"], end);
    assert_ne!(case["expected"], case["state"]);
    assert_eq!(case.get("tags"), None);
}

#[test]
fn a_run_that_has_not_ended_well_says_not_what_is_right() {
    let world = World::with_runs();
    for run in ["asking", "failed"] {
        let ended = world.cot(&["case", run, "--expected-state"]);
        assert_eq!((ended.out.as_str(), ended.code), ("", 2), "{run}");
        assert!(ended.err.contains("has not ended well"), "{}", ended.err);
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    text: String,
}

cot_process! {
    process Ward {
        state: { private input patient: String, room: u32 = 7, note: String },
        private: ["local"],

        task note -> Note {
            model: "local",
            prompt: "Write a note about ${state.patient} in room ${state.room}.",
            check: is_short,
            clears: private,
            update: { note = output.text },
            next: done,
        }

        task done { end }
    }
}

fn is_short(_: &Note, _: &WardState) -> Result<(), cot_core::Issues> {
    Ok(())
}

#[test]
fn private_fields_are_left_out_unless_they_are_asked_for() {
    let world = World::new();
    let model = ScriptedModel::new([r#"{"text":"is well"}"#]);
    let runner = Ward::runner().engine("local", model).store(world.store()).run_id("ann");
    wait(async { runner.run(WardState::new("Ann Lee".to_owned())).await.unwrap() });
    let line = world.printed(&["case", "ann", "--expected-state"]);
    assert!(!line.contains("Ann Lee"), "{line}");
    let case: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(case["state"]["room"], 7);
    assert_eq!(case["left_out"], json!(["state.patient", "expected.patient"]));
    let error = Case::<WardState, WardState>::from_json_lines(&line).unwrap_err();
    assert!(error.reason.contains("the private field `state.patient` was left out"), "{error}");
    let whole = world.printed(&["case", "ann", "--expected-state", "--private"]);
    let cases = Case::<WardState, WardState>::from_json_lines(&whole).unwrap();
    assert_eq!((&*cases[0].state.patient, &*cases[0].expected.patient), ("Ann Lee", "Ann Lee"));
}
