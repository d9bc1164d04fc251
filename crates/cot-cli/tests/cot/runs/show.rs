//! `cot runs show`.

use serde_json::json;

use super::world::{World, said};

#[track_caller]
fn holds(printed: &str, parts: &[&str]) {
    for part in parts {
        assert!(printed.contains(part), "no {part:?} in:\n{printed}");
    }
}

#[test]
fn a_page_tells_the_steps_with_their_attempts_and_what_is_asked() {
    let world = World::with_runs();
    let printed = world.printed(&["show", "asking"]);
    holds(
        &printed,
        &[
            "run      asking\nprocess  Letters\nstatus   asking at approve\n",
            "usage    2 calls, 2000 + 200 tokens, cost 0.5000\n",
            "\n1 write -> approve (next)  [2 calls, 2000 + 200 tokens, cost 0.5000, ",
            "  attempt 1: rejected\n    reply: {\"text\":\"\"}\n    issue: $.text: ",
            "  attempt 2\n    reply: {text: 'Dear Ann'}\n    mended: ",
            "  output: {\"text\":\"Dear Ann\"}\n",
            "\n2 approve …\n",
            "asks approve#1@1 since ",
            "  question:\n    Send this?\n    Dear Ann\n",
            "  schema: {",
            "cot runs answer asking approve#1@1 JSON",
        ],
    );
    assert!(!printed.contains("For A letter: write."), "{printed}");
    let failed = world.printed(&["show", "failed"]);
    holds(&failed, &["status   halted at write\nwhy      ", "no attempt gave a valid reply"]);
}

#[test]
fn prompts_are_shown_where_they_are_wanted() {
    let world = World::with_runs();
    holds(&world.printed(&["show", "asking", "--prompts"]), &["prompt:", "For A letter: write."]);
    let prompt = |arguments| {
        let history = world.json(arguments);
        history[0]["steps"][0]["attempts"][0].get("prompt").is_some()
    };
    assert!(!prompt(&["show", "asking"]));
    assert!(prompt(&["show", "asking", "--prompts"]));
}

#[test]
fn the_json_of_a_history_is_one_object() {
    let history = &World::with_runs().json(&["show", "done"])[0];
    assert_eq!(crate::keys(history), ["summary", "steps"]);
    assert_eq!(history["summary"]["status"]["how"], "end");
    let approve = &history["steps"][1];
    assert_eq!(approve["attempts"][0]["answer"], json!({ "answered": { "is_good": true } }));
    assert_eq!((&approve["next"], &approve["route"]), (&json!("sent"), &json!("next")));
}

#[test]
fn the_state_at_a_step_is_shown() {
    let world = World::with_runs();
    assert_eq!(world.printed(&["show", "asking", "--at", "0"]), "{\n  \"text\": \"\"\n}\n");
    assert_eq!(world.printed(&["show", "done", "--at", "2"]), "{\n  \"text\": \"Dear Ben\"\n}\n");
    let at = &world.json(&["show", "asking", "--at", "1"])[0];
    assert_eq!(crate::keys(at), ["run", "steps", "process", "task", "goal", "state"]);
    assert_eq!((&at["goal"], &at["state"]), (&json!("A letter"), &json!({ "text": "Dear Ann" })));
}

#[test]
fn what_a_model_says_does_not_steer_the_terminal() {
    let world = World::new();
    world.ask("sly", vec![said("{\"text\":\"\u{1b}[2J ab\"}"), said("\u{1b}]0;x\u{7}")]);
    for arguments in [["show", "sly"], ["tail", "sly"], ["show", "sly"]] {
        let arguments = [&arguments[..], &["--color", "never"]].concat();
        let printed = world.printed(&arguments);
        assert!(!printed.contains(['\u{1b}', '\u{7}']), "{printed:?}");
    }
}
