//! `cot runs prune`.

use serde_json::json;

use super::world::World;

#[test]
fn runs_that_are_over_are_removed() {
    let world = World::with_runs();
    assert_eq!(world.printed(&["prune", "--older-than", "30d"]), "0 runs removed\n");
    assert_eq!(world.listed(&[]).len(), 3);

    let would = world.json(&["prune", "--older-than", "0s", "--dry-run"]);
    let would: Vec<_> = would.iter().map(|run| &run["run"]).collect();
    assert_eq!(would, ["failed", "done"]);
    assert!(
        world.printed(&["prune", "--older-than", "0s", "--dry-run"]).contains("failed  Letters")
    );
    assert_eq!(world.listed(&[]).len(), 3, "nothing was changed");

    let vacuumed = world.json(&["prune", "--older-than", "0s", "--vacuum"]);
    assert_eq!(vacuumed, [json!({ "forgotten": 2 })]);
    assert_eq!(world.listed(&[]), ["asking"]);
    assert!(world.printed(&["show", "asking", "--prompts"]).contains("For A letter: write."));
}

#[test]
fn how_old_has_to_be_said() {
    let world = World::with_runs();
    assert_eq!(world.cot(&["prune"]).code, 2);
    let ended = world.cot(&["prune", "--older-than", "soon"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("--older-than"), "{}", ended.err);
    assert_eq!(world.listed(&[]).len(), 3);
}
