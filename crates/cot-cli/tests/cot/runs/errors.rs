//! Errors of stores and calls.

use std::{fs, path::Path};

use super::world::World;
use crate::{command, ended, run};

/// Read-only and writing calls for a run `asking`.
const LOOK: [&[&str]; 7] = [
    &["list"],
    &["show", "asking"],
    &["tail", "asking"],
    &["trace", "asking"],
    &["prune", "--older-than", "0s", "--dry-run"],
    &["cut", "asking", "--from", "1"],
    &["remove", "asking"],
];
const CHANGE: [&[&str]; 5] = [
    &["answer", "asking", "approve", "{\"is_good\":true}"],
    &["fork", "asking", "--at", "1"],
    &["prune", "--older-than", "0s"],
    &["cut", "asking", "--from", "1", "--yes"],
    &["remove", "asking", "--yes"],
];

fn files(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let mut files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    files.sort();
    files
}

#[test]
fn a_store_that_is_not_there_is_not_made() {
    let world = World::new();
    for arguments in LOOK.iter().chain(&CHANGE) {
        let ended = world.cot(arguments);
        assert_eq!((ended.out.as_str(), ended.code), ("", 2), "{arguments:?}");
        assert!(ended.err.starts_with("error: there is no store `"), "{}", ended.err);
        assert!(files(world.path().parent().unwrap()).is_empty());
    }
}

#[test]
fn a_file_that_is_no_store_is_left_alone() {
    let world = World::new();
    for (content, said) in
        [("This is no database, whatever it is.", "is not a SQLite database"), ("", "version 0")]
    {
        world.file("runs.db", content);
        for arguments in LOOK.iter().chain(&CHANGE) {
            let ended = world.cot(arguments);
            assert_eq!((ended.out.as_str(), ended.code), ("", 2), "{arguments:?}");
            assert!(ended.err.contains(said), "{arguments:?}: {}", ended.err);
            assert_eq!(fs::read_to_string(world.path()).unwrap(), content);
        }
    }
    fs::remove_file(world.path()).unwrap();
    fs::create_dir(world.path()).unwrap();
    assert_eq!(world.cot(&["list"]).code, 2);
}

#[test]
fn looking_changes_nothing() {
    let world = World::with_runs();
    let before = fs::read(world.path()).unwrap();
    for arguments in LOOK {
        world.cot(arguments);
        assert_eq!(fs::read(world.path()).unwrap(), before, "{arguments:?}");
    }
}

#[test]
fn an_unknown_run_ends_with_1_and_a_hint() {
    let world = World::with_runs();
    for arguments in [
        &["show", "nobody"][..],
        &["show", "nobody", "--at", "1"],
        &["tail", "nobody"],
        &["trace", "nobody"],
        &["answer", "nobody", "approve", "{}"],
        &["cut", "nobody", "--from", "1"],
        &["remove", "nobody"],
        &["remove", "nobody", "--yes"],
    ] {
        let ended = world.cot(arguments);
        assert_eq!((ended.out.as_str(), ended.code), ("", 1), "{arguments:?}");
        assert_eq!(
            ended.err,
            "error: there is no run `nobody`\nhelp: `cot runs list` shows the runs of the store\n"
        );
    }
    let beyond = world.cot(&["show", "asking", "--at", "9"]);
    assert_eq!((beyond.out.as_str(), beyond.code), ("", 1));
    assert!(beyond.err.contains("there is no step 9"), "{}", beyond.err);
    assert_eq!(world.cot(&["show", "no name"]).code, 2);
}

#[test]
fn the_store_may_be_named_by_the_environment() {
    let world = World::with_runs();
    let mut list = command(&["runs", "list", "--json", "--limit", "1"]);
    let ended = ended(run(list.env("COT_STORE", world.path()), b""));
    assert_eq!((ended.err.as_str(), ended.code), ("", 0));
    assert!(ended.out.starts_with("{\"run\":\"failed\""), "{}", ended.out);
    let nameless = crate::cot(&["runs", "list"], "");
    assert_eq!(nameless.code, 2);
    assert!(nameless.err.contains("--store <FILE>"), "{}", nameless.err);
}
