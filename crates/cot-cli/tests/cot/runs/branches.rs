//! Runs with branches.

use cot_core::{cot_process, model::ScriptedModel};

use super::world::{Letter, Text, World, said, wait};

cot_process! {
    process Race {
        state: Letter,
        parallel race [ann, ben] => sent { join: any }
        task ann -> Text { prompt: "Write to Ann.", update: { text = output.text }, next: sent }
        task ben -> Text { wait: 1h, prompt: "Write to Ben.", next: sent }
        task sent { end }
    }
}

#[test]
fn it_is_shown_how_each_branch_ended() {
    let world = World::new();
    let runner = Race::runner().model(ScriptedModel::new([said(r#"{"text":"Dear Ann"}"#)]));
    wait(runner.store(world.store()).run_id("race").run(Letter::default())).unwrap();
    let shown = world.printed(&["show", "race"]);
    assert!(shown.contains("\n  branch ann joined\n  branch ben cancelled\n"), "{shown}");
    let branches = &world.json(&["show", "race"])[0]["steps"][0]["branches"];
    assert_eq!(branches[0], serde_json::json!({ "branch": "ann", "outcome": "joined" }));
    let tail = world.printed(&["tail", "race"]);
    assert!(tail.contains("branch ann joined; branch ben cancelled; "), "{tail}");
}
