//! `cot runs case`.

use serde_json::json;

use super::world::World;

#[test]
fn a_run_becomes_a_case() {
    let world = World::with_runs();
    let start = world.json(&["show", "done", "--at", "0"])[0]["state"].clone();
    let cases =
        world.printed(&["case", "done", "asking", "--expected", "\"fine\"", "--tag", "old"]);
    let cases: Vec<serde_json::Value> =
        cases.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = json!({"name": "done", "state": start, "expected": "fine", "tags": ["old"]});
    assert_eq!((cases.len(), &cases[0]), (2, &expected));
}

#[test]
fn the_end_of_a_run_can_be_what_is_right() {
    let world = World::with_runs();
    let shown = world.json(&["show", "done"]);
    let steps = shown[0]["summary"]["steps"].to_string();
    let end = world.json(&["show", "done", "--at", &steps])[0]["state"].clone();
    let case: serde_json::Value =
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
