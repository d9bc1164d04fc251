//! `cot runs tail`.

use std::{
    io::{BufRead, BufReader, read_to_string},
    process::Stdio,
};

use super::world::{World, said};
use crate::command;

#[test]
fn the_last_entries_are_printed() {
    let world = World::with_runs();
    let all = world.printed(&["tail", "asking", "--lines", "100"]);
    let kinds: Vec<&str> =
        all.lines().map(|line| line.split_whitespace().nth(2).unwrap()).collect();
    assert_eq!(kinds[..3], ["begun", "replied", "replied"], "{all}");
    assert!(all.contains("write#1@1: {\"text\":\"\"}"), "{all}");
    assert!(all.contains("write@1 rejected: $.text: "), "{all}");
    assert!(all.contains("write -> approve (next); "), "{all}");
    assert!(all.trim_end().ends_with("asking at approve"), "{all}");

    let last = world.printed(&["tail", "asking", "-n", "1"]);
    assert_eq!(last, format!("{}\n", all.lines().last().unwrap()));
    assert_eq!(world.printed(&["tail", "asking", "-n", "0"]), "");
}

#[test]
fn the_json_of_an_entry_is_as_promised() {
    let world = World::with_runs();
    let entries = world.json(&["tail", "asking", "--lines", "100"]);
    for (number, entry) in entries.iter().enumerate() {
        assert_eq!(entry["number"], number);
        assert_eq!(entry["hash"].as_str().map(str::len), Some(64));
        let kind = crate::keys(entry)[2];
        assert!(["begun", "event", "step"].contains(&kind), "{entry}");
    }
    assert_eq!(entries[0]["begun"]["process"], "Letters");
    assert_eq!(entries[1]["event"]["asked"]["key"], "write#1@1");
}

#[test]
fn entries_are_followed_until_the_run_is_over() {
    let world = World::new();
    world.ask("letter", vec![said(r#"{"text":"Dear Ann"}"#)]);
    let path = world.path().into_os_string().into_string().unwrap();
    let arguments = world.call(&["tail", "letter", "--follow", "--json", "-n", "1"], &path);
    let mut tail =
        command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut printed = BufReader::new(tail.stdout.take().unwrap()).lines().map(Result::unwrap);
    // The command follows from here, however long it took to start.
    assert!(printed.next().unwrap().contains("asking"));
    world.cot(&["answer", "letter", "approve", r#"{"is_good":false}"#]);
    world.cot(&["list"]);
    let program = world.resume("letter", vec![said(r#"{"text":"Dear Ben"}"#)]);
    while world.json(&["show", "letter"])[0]["summary"]["status"]["key"] != "approve#2@1" {}
    assert_eq!(world.cot(&["answer", "letter", "approve", r#"{"is_good":true}"#]).code, 0);
    assert_eq!(program.join().unwrap().unwrap().text, "Dear Ben");

    let printed: Vec<String> = printed.collect();
    assert_eq!(read_to_string(tail.stderr.take().unwrap()).unwrap(), "");
    assert_eq!(tail.wait().unwrap().code(), Some(0));
    let last: serde_json::Value = serde_json::from_str(printed.last().unwrap()).unwrap();
    assert_eq!(last["step"]["status"]["how"], "end");
    assert!(printed.iter().any(|line| line.contains("Dear Ben")), "{printed:#?}");
}

#[test]
fn a_run_that_is_over_is_not_waited_for() {
    let world = World::with_runs();
    let printed = world.printed(&["tail", "done", "--follow"]);
    assert!(printed.trim_end().ends_with("end at sent"), "{printed}");
}
