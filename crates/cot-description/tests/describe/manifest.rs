//! The description as data.

use cot_core::prelude::*;
use cot_engine::internal::KindTag;
use serde_json::{Value, json};

use crate::processes::{Library, Office};

fn task<'a>(manifest: &'a Value, name: &str) -> &'a Value {
    let tasks = manifest["tasks"].as_array().unwrap();
    tasks.iter().find(|task| task["name"] == name).unwrap()
}

#[test]
fn has_what_was_declared() {
    let manifest = Office::describe().manifest();
    assert_eq!(manifest["manifest"], 1);
    assert_eq!(manifest["name"], "Office");
    assert_eq!(manifest["state"], "Desk");
    assert_eq!(manifest["goal"], json!({ "declared": true, "used": true }));
    assert_eq!(manifest["engines"], json!(["large", "small"]));
    assert_eq!(manifest["timeout_ms"], 600_000);
    assert_eq!(manifest["budget"], json!({ "tokens": 1000, "calls": null, "cost": null }));
    assert_eq!(manifest["settings"], json!({ "temperature": 0.2, "stop": ["END"] }));
    assert_eq!(manifest["sequences"], json!([["read", "approve"]]));
    assert_eq!(manifest["parts"], json!(["manners"]));
    let names: Vec<&Value> =
        manifest["tasks"].as_array().unwrap().iter().map(|task| &task["name"]).collect();
    let declared: Vec<_> =
        <Office as cot_core::ProcessTypes>::Task::ALL.iter().map(|task| task.name()).collect();
    assert_eq!(names, declared);
}

#[test]
fn tells_the_kinds_and_where_they_lead() {
    let manifest = Office::describe().manifest();
    let decide = task(&manifest, "decide");
    let load = json!({ "task": "load", "label": true, "guard": false, "with": "model" });
    let read = json!({ "task": "read", "label": true, "guard": true, "with": null });
    assert_eq!(decide["transitions"][0], load);
    assert_eq!(decide["transitions"][1], read);
    assert_eq!(decide["on"], json!({ "exhausted": "failed", "timeout": "done" }));
    let approve = task(&manifest, "approve");
    let arms = json!([
        { "task": "decide", "guard": true, "with": null },
        { "task": "sort", "guard": false, "with": null },
    ]);
    assert_eq!((&approve["kind"], &approve["next"]), (&json!("human"), &arms));
    assert_eq!(task(&manifest, "sort")["choices"], json!(["gate", "done"]));
    let settings = json!({ "temperature": 0.5, "effort": "low", "extra": { "top_k": 40 } });
    assert_eq!(task(&manifest, "sort")["settings"], settings);
    assert_eq!(task(&manifest, "decide")["settings"], json!({}));
    let back = json!([{ "task": "decide", "route": "return", "guard": false }]);
    assert_eq!(task(&manifest, "load")["ways"], back);
    let next = json!([{ "task": "approve", "route": "sequence", "guard": false }]);
    assert_eq!(task(&manifest, "read")["ways"], next);
}

#[test]
fn has_the_schemas_that_models_see() {
    let manifest = Office::describe().manifest();
    let load = task(&manifest, "load");
    assert_eq!(load["inputs"]["schema"]["properties"]["words"]["maxLength"], 10);
    assert_eq!(load["output"], json!({ "type": null, "schema": null }));
    let read = task(&manifest, "read");
    assert_eq!(read["output"]["type"], "Note");
    assert_eq!(read["output"]["schema"]["properties"]["words"]["maxLength"], 10);
    assert_eq!(task(&manifest, "search")["output"]["type"], "Shelf");
}

#[test]
fn a_process_within_is_there_once() {
    let manifest = Office::describe().manifest();
    let within = manifest["processes"].as_object().unwrap();
    assert_eq!(within.keys().collect::<Vec<_>>(), ["Library"]);
    assert_eq!(task(&manifest, "search")["process"], "Library");
    assert_eq!(task(&manifest, "again")["process"], "Library");
    let alone = Library::describe().manifest();
    for (member, value) in within["Library"].as_object().unwrap() {
        assert_eq!(alone[member], *value, "{member}");
    }
}

mod other {
    use cot_core::prelude::*;

    cot_process! {
        pub(crate) process Library {
            state: String,
            task done { end }
        }
    }
}

cot_process! {
    process Both {
        state: String,
        task first { process: other::Library with state.clone(), next: second }
        task second { process: Library with crate::processes::Shelf::default(), next: done }
        task done { end }
    }
}

#[test]
fn processes_of_the_same_name_are_told_apart() {
    let manifest = Both::describe().manifest();
    let within = manifest["processes"].as_object().unwrap();
    assert_eq!(within.keys().collect::<Vec<_>>(), ["Library", "Library#2"]);
    assert_eq!(task(&manifest, "first")["process"], "Library");
    assert_eq!(task(&manifest, "second")["process"], "Library#2");
    assert_eq!(within["Library#2"]["tasks"].as_array().unwrap().len(), 3);
}

mod reworded {
    use cot_core::prelude::*;

    cot_process! {
        /// Looks a book up.
        pub(crate) process Library {
            state: crate::processes::Shelf,
            max_retries: 0,

            task look {
                title: "Look & \"see\" <b>\\N {a|b}",
                prompt: "Please!",
                transitions: { found, look: "Once more", lost },
            }

            task found { end }
            task lost { fail: "no such book" }
        }
    }
}

#[test]
fn versions_differ_where_prompts_do() {
    let (old, new) = (Library::describe(), reworded::Library::describe());
    assert_eq!(old.version(), Library::describe().version());
    assert_ne!(old.version(), new.version());
    let (old, new) = (old.manifest(), new.manifest());
    assert_eq!(old["fingerprint"]["graph"], new["fingerprint"]["graph"]);
    assert_ne!(old["fingerprint"]["prompts"]["look"], new["fingerprint"]["prompts"]["look"]);
    assert_eq!(old["fingerprint"]["prompts"]["lost"], new["fingerprint"]["prompts"]["lost"]);
}

#[test]
fn the_documentation_has_the_kinds_of_tasks() {
    let docs = include_str!("../../src/description.rs");
    let row = docs.lines().find(|line| line.contains("| `kind` |")).unwrap();
    let documented: Vec<_> = row.split('`').skip(3).step_by(2).collect();
    let kinds = KindTag::ALL.iter().map(|kind| kind.info().manifest_name);
    assert_eq!(documented, kinds.collect::<Vec<_>>());
}
