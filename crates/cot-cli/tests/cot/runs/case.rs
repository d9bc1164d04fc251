//! `cot runs case`.

use cot_core::{CotOutput, History, Private, cot_process, model::ScriptedModel};
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

cot_process! {
    process Clinic {
        state: {
            #[serde(rename = "patientName")]
            private input patient: String,
            contact: Option<Private<String>> = None,
            note: String = String::new(),
            room: u32 = 7,
            history: History = History::new(),
        },
        private: ["local"],
        history: { state_max_items: 5 },

        task note -> Note {
            model: "local",
            prompt: "Write a note about ${state.patient} in room ${state.room}, with ${json(&state.contact)}.",
            update: { note = output.text },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn what_is_made_of_private_fields_and_fields_with_other_names_are_left_out() {
    let world = World::new();
    let model = ScriptedModel::new([r#"{"text":"Ann Lee is well"}"#]);
    let runner = Clinic::runner().engine("local", model).store(world.store()).run_id("ann");
    let mut state = ClinicState::new("Ann Lee".to_owned());
    state.contact = Some(Private::new("Lee senior".to_owned()));
    wait(async { runner.run(state).await.unwrap() });
    let line = world.printed(&["case", "ann", "--expected-state"]);
    assert!(!line.contains("Lee"), "{line}");
    let case: Value = serde_json::from_str(&line).unwrap();
    let start = ["state.patientName", "state.contact"];
    let end = ["expected.patientName", "expected.contact", "expected.note", "expected.history"];
    assert_eq!(case["left_out"], json!([&start[..], &end[..]].concat()));
    assert_eq!((&case["state"]["note"], &case["expected"]["room"]), (&json!(""), &json!(7)));
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Person {
    name: String,
}

cot_process! {
    process Desk {
        state: {
            #[serde(flatten)]
            private input person: Person,
            note: String,
        },
        private: ["local"],

        task note -> Note {
            model: "local",
            prompt: "Write a note about ${state.person.name}.",
            update: { note = output.text },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn a_private_field_that_is_no_member_is_refused() {
    let world = World::new();
    let model = ScriptedModel::new([r#"{"text":"is well"}"#]);
    let runner = Desk::runner().engine("local", model).store(world.store()).run_id("ann");
    wait(async {
        runner.run(DeskState::new(Person { name: "Ann Lee".to_owned() })).await.unwrap()
    });
    let refused = world.cot(&["case", "ann"]);
    assert_eq!((refused.out.as_str(), refused.code), ("", 2));
    assert!(refused.err.contains("serde flattens it"), "{}", refused.err);
    assert!(world.printed(&["case", "ann", "--private"]).contains("Ann Lee"));
}
