//! `cot runs fork`.

use serde_json::json;

use super::world::World;

#[test]
fn a_fork_goes_on_and_the_other_run_stays_as_it_is() {
    let world = World::with_runs();
    let before = world.printed(&["show", "done", "--prompts", "--json"]);
    let state = world.file("state.json", r#"{"text":"Dear Eve"}"#);
    let forked = world.printed(&[
        "fork", "done", "--at", "1", "--as", "eve", "--state", &state, "--goal", "Less",
    ]);
    assert_eq!(forked, "eve\n");
    assert_eq!(world.printed(&["show", "done", "--prompts", "--json"]), before);
    let at = &world.json(&["show", "eve", "--at", "1"])[0];
    assert_eq!((&at["goal"], &at["state"]["text"]), (&json!("Less"), &json!("Dear Eve")));

    let summary = &world.json(&["list", "--limit", "1"])[0];
    assert_eq!(summary["origin"], json!({ "run": "done", "steps": 1 }));
    let page = world.printed(&["show", "eve"]);
    assert!(page.contains("fork of  done at step 1\n"), "{page}");
    let program = world.resume("eve", vec![]);
    while world.listed(&["--asking"])[0] != "eve" {}
    world.printed(&["answer", "eve", "approve", r#"{"is_good":true}"#]);
    assert_eq!(program.join().unwrap().unwrap().text, "Dear Eve");
}

#[test]
fn a_fork_gets_a_name_that_is_free() {
    let world = World::with_runs();
    let fork = || world.printed(&["fork", "asking", "--at", "1"]);
    assert_eq!((fork(), fork()), ("asking-at-1\n".to_owned(), "asking-at-1-2\n".to_owned()));
}

#[test]
fn a_fork_that_is_over_is_warned_of() {
    let ended = World::with_runs().cot(&["fork", "done", "--at", "2"]);
    assert_eq!((ended.out.as_str(), ended.code), ("done-at-2\n", 0));
    assert!(
        ended.err.starts_with("warning: the fork has already ended, at `sent`"),
        "{}",
        ended.err
    );
}

#[test]
fn what_can_not_be_forked_is_refused() {
    let world = World::with_runs();
    let bad = world.file("bad.json", "{");
    for (arguments, said) in [
        (&["asking", "--at", "9"][..], "there is no step 9"),
        (&["asking", "--at", "1", "--as", "done"], "there is a run `done` already"),
        (&["nobody", "--at", "1"], "there is no run `nobody`"),
        (&["asking", "--at", "1", "--state", &bad], "bad.json` is not JSON: "),
    ] {
        let ended = world.cot(&[&["fork"], arguments].concat());
        assert_eq!((ended.out.as_str(), ended.code), ("", 1), "{arguments:?}: {}", ended.err);
        assert!(ended.err.contains(said), "{arguments:?}: {}", ended.err);
    }
    assert_eq!(world.cot(&["fork", "asking", "--at", "1", "--as", "no name"]).code, 2);
    assert_eq!(world.cot(&["fork", "asking", "--at", "1", "--state", "/no/file"]).code, 2);
    assert_eq!(world.listed(&[]).len(), 3);
}
