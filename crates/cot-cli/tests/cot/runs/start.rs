//! `cot runs start` and `cot runs retry`.

use std::time::SystemTime;

use cot_core::{
    Description,
    store::{SetAside, Store},
};
use serde_json::json;

use super::world::{Letters, World, said, wait};

impl World {
    /// A store without runs.
    fn empty() -> Self {
        let world = Self::new();
        drop(world.store());
        world
    }
}

#[test]
fn a_submitted_run_waits_for_a_worker() {
    let world = World::empty();
    let state = world.file("state.json", r#"{"text":"Dear Eve"}"#);
    let started = ["start", "Letters", "--state", &state, "--id", "eve", "--goal", "Less"];
    assert_eq!(world.printed(&started), "eve\n");
    let run = &world.json(&["list"])[0];
    assert_eq!((&run["status"], &run["entries"]), (&json!({ "status": "queued" }), &json!(1)));
    let entry = &world.json(&["tail", "eve"])[0];
    assert_eq!(entry["submitted"]["state"], json!({ "text": "Dear Eve" }));
    assert!(world.printed(&["tail", "eve"]).contains("submitted  Letters"));
    assert!(world.printed(&["show", "eve"]).contains("queued"));

    let again = world.cot(&started);
    assert_eq!(again.code, 1);
    assert!(again.err.contains("there is a run `eve` already"), "{}", again.err);
    let fork = world.cot(&["fork", "eve", "--at", "0"]);
    assert_eq!(fork.code, 1);
    assert!(fork.err.contains("no worker has begun it yet"), "{}", fork.err);

    let program = world.resume("eve", vec![said(r#"{"text":"Dear Ann"}"#)]);
    while world.listed(&["--asking"]).is_empty() {}
    assert_eq!(world.json(&["show", "eve", "--at", "0"])[0]["goal"], "Less");
    world.printed(&["answer", "eve", "approve", r#"{"is_good":true}"#]);
    assert_eq!(program.join().unwrap().unwrap().text, "Dear Ann");
}

#[test]
fn a_run_without_a_name_gets_one() {
    let world = World::empty();
    let started = |state| world.cot_with(&["start", "Letters", "--state", "-"], state);
    let names: Vec<String> = ["{}", "null"].map(started).into_iter().map(|run| run.out).collect();
    assert_ne!(names[0], names[1]);
    assert_eq!(world.listed(&[]), [names[1].trim(), names[0].trim()]);
    let wrong = started("{");
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
    assert!(wrong.err.contains("is not JSON"), "{}", wrong.err);
}

#[test]
fn a_manifest_knows_the_names_of_processes() {
    let world = World::empty();
    let manifest = serde_json::to_string(&Description::new::<Letters>().manifest()).unwrap();
    let manifest = world.file("letters.json", &manifest);
    let state = world.file("state.json", "{}");
    let start =
        |process| world.cot(&["start", process, "--state", &state, "--manifest", &manifest]);
    let wrong = start("Leters");
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
    assert!(wrong.err.contains("has no process `Leters`, but `Letters`"), "{}", wrong.err);
    assert_eq!(start("Letters").code, 0);
    let other = ["start", "Letters", "--state", &state, "--manifest", &state];
    assert_eq!(world.cot(&other).code, 2);
    assert_eq!(world.cot(&["start", "Letters", "--state", "-", "--manifest", "-"]).code, 2);
}

#[test]
fn a_run_that_is_set_aside_is_listed_with_its_reason_and_put_back() {
    let world = World::with_runs();
    let refused = world.cot(&["retry", "asking"]);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    assert!(refused.err.contains("`asking` is not set aside: asking"), "{}", refused.err);
    assert_eq!(world.cot(&["retry", "nobody"]).code, 1);

    let store = world.store();
    wait(async {
        let lease = store.acquire(&"asking".parse().unwrap()).await.unwrap();
        let at = SystemTime::UNIX_EPOCH;
        store.set_aside(&lease, SetAside::new("it kills\nits program", at)).await.unwrap();
    });
    assert_eq!(world.listed(&["--set-aside"]), ["asking"]);
    let run = &world.json(&["list", "--set-aside"])[0];
    assert_eq!(run["set_aside"], json!({ "why": "it kills\nits program", "at": 0 }));
    let listed = world.printed(&["list"]);
    assert!(listed.contains("set_aside"), "{listed}");
    let reason = "asking is set aside since 1970-01-01T00:00:00Z: it kills its program\n";
    assert!(listed.ends_with(reason), "{listed}");
    let page = world.printed(&["show", "asking"]);
    assert!(page.contains("cot runs retry asking"), "{page}");

    assert_eq!(world.printed(&["retry", "asking"]), "asking\n");
    assert!(world.listed(&["--set-aside"]).is_empty());
    assert_eq!(world.cot(&["retry", "asking"]).code, 1);

    wait(async {
        let lease = store.acquire(&"asking".parse().unwrap()).await.unwrap();
        store.set_aside(&lease, SetAside::new("again", SystemTime::UNIX_EPOCH)).await.unwrap();
    });
    assert_eq!(world.printed(&["retry", "--all", "--process", "Nothing"]), "");
    assert_eq!(world.printed(&["retry", "--all"]), "asking\n");
    assert!(world.listed(&["--set-aside"]).is_empty());
    assert_eq!(world.cot(&["retry"]).code, 2);
}

#[test]
fn a_run_is_to_be_cancelled_until_a_program_does_so() {
    let world = World::with_runs();
    assert_eq!(world.cot(&["cancel", "nobody"]).code, 1);
    let refused = world.cot(&["cancel", "done"]);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{}", refused.err);
    assert!(refused.err.contains("run `done` has ended"), "{}", refused.err);

    assert_eq!(world.printed(&["cancel", "asking", "--reason", "too\nlate"]), "asking\n");
    assert_eq!(world.printed(&["cancel", "asking"]), "asking\n");
    let run = &world.json(&["list", "--asking"])[0];
    assert_eq!(run["cancel_requested"]["reason"], "too\nlate", "the first request counts");
    let listed = world.printed(&["list"]);
    assert!(listed.contains("cancelling"), "{listed}");
    let page = world.printed(&["show", "asking"]);
    assert!(page.contains("to be cancelled") && page.contains("late"), "{page}");

    world.resume("asking", vec![]).join().unwrap().unwrap();
    let run = world.json(&["list", "--ended"]);
    let run = run.iter().find(|run| run["run"] == "asking").unwrap();
    assert_eq!(run["status"]["how"], "halted");
    assert!(run["status"]["why"].as_str().unwrap().contains("too\nlate"), "{run}");
    assert_eq!(run.get("cancel_requested"), None);
}
