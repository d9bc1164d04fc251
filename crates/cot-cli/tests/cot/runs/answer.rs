//! `cot runs answer`.

use super::world::{World, said};

const GOOD: &str = r#"{"is_good":true}"#;

#[test]
fn an_answer_from_outside_moves_a_run_that_a_program_drives() {
    let world = World::new();
    world.ask("letter", vec![said(r#"{"text":"Dear Ann"}"#)]);
    let program = world.resume("letter", vec![]);
    while world.json(&["list"])[0]["is_driven"] != true {}
    assert!(world.printed(&["list"]).trim_end().ends_with("yes"));
    assert_eq!(world.printed(&["answer", "letter", "approve", GOOD]), "approve#1@1\n");
    assert_eq!(program.join().unwrap().unwrap().text, "Dear Ann");
    assert_eq!(world.listed(&["--ended"]), ["letter"]);
}

#[test]
fn an_answer_waits_for_the_program_that_goes_on() {
    let world = World::with_runs();
    let answered = world.cot_with(&["answer", "asking", "approve#1@1", "-"], GOOD);
    assert_eq!((answered.out.as_str(), answered.code), ("approve#1@1\n", 0));
    assert!(answered.err.contains("no program drives the run now"), "{}", answered.err);
    assert_eq!(world.resume("asking", vec![]).join().unwrap().unwrap().text, "Dear Ann");
}

#[test]
fn an_answer_that_does_not_fit_is_not_written() {
    let world = World::with_runs();
    for (answer, said) in [
        (r#"{"is_good":"perhaps"}"#, "error: $.is_good: "),
        ("{}", "`is_good` is required"),
        ("{is_good: true}", "error: the answer is not JSON: "),
        ("", "error: the answer is not JSON: "),
    ] {
        let ended = world.cot(&["answer", "asking", "approve", answer]);
        assert_eq!((ended.out.as_str(), ended.code), ("", 1), "{answer}");
        assert!(ended.err.contains(said), "{answer}: {}", ended.err);
    }
    let answers: i64 = rusqlite::Connection::open(world.path())
        .unwrap()
        .query_row("SELECT COUNT(*) FROM answers", [], |row| row.get(0))
        .unwrap();
    assert_eq!(answers, 0);
}

#[test]
fn it_is_said_what_a_run_asks_instead() {
    let world = World::with_runs();
    for (run, task, said) in [
        ("asking", "write", "run `asking` does not ask `write`: it asks `approve#1@1`"),
        ("asking", "approve#2@1", "run `asking` does not ask `approve#2@1`"),
        ("done", "approve", "run `done` has no question: its status is `end`, at `sent`"),
        ("failed", "approve", "run `failed` has no question: its status is `halted`, at `write`"),
    ] {
        let ended = world.cot(&["answer", run, task, GOOD]);
        assert_eq!((ended.out.as_str(), ended.code), ("", 1), "{run} {task}");
        assert!(ended.err.contains(said), "{}", ended.err);
    }
}
