//! `cot runs watch`.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use super::world::{World, said};
use crate::{command, keys};

#[test]
fn live_runs_are_shown_with_what_they_wait_for() {
    let world = World::with_runs();
    let printed = world.printed(&["watch", "--once"]);
    let mut lines = printed.lines();
    let titles: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(titles[..4], ["run", "process", "status", "task"]);
    let line = lines.next().unwrap();
    assert!(line.starts_with("asking  Letters  asking  approve"), "{line}");
    assert!(line.ends_with("asks: Send this? Dear Ann"), "{line}");
    assert_eq!(lines.next(), None, "runs that have ended are not live");

    assert_eq!(world.printed(&["watch", "--once", "--process", "Other"]).lines().count(), 1);
    let object = &world.json(&["watch", "--once"])[0];
    assert_eq!(*keys(object).last().unwrap(), "now");
    assert_eq!(object["run"], "asking");
    assert_eq!(object["now"], serde_json::json!({ "failed_attempts": 0 }));
}

#[test]
fn named_runs_are_watched_to_their_end_which_decides_the_status() {
    let world = World::with_runs();
    let done = world.printed(&["watch", "done"]);
    assert!(done.contains("done (Letters) end at sent [2 steps, 1 call, "), "{done}");
    let failed = world.cot(&["watch", "failed", "done"]);
    assert_eq!((failed.err.as_str(), failed.code), ("", 1));
    assert!(failed.out.contains("failed (Letters) halted at write: "), "{}", failed.out);
    let unknown = world.cot(&["watch", "nobody", "done"]);
    assert_eq!((unknown.out.as_str(), unknown.code), ("", 1));
    assert!(unknown.err.contains("nobody"), "{}", unknown.err);
}

#[test]
fn changes_are_printed_when_they_happen() {
    let world = World::new();
    world.ask("letter", vec![said(r#"{"text":"Dear\u001b[2J Ann"}"#)]);
    let path = world.path().into_os_string().into_string().unwrap();
    let arguments = world.call(&["watch", "letter"], &path);
    let mut watch = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut printed = BufReader::new(watch.stdout.take().unwrap()).lines().map(Result::unwrap);
    let asks = printed.next().unwrap();
    assert!(
        asks.contains("letter (Letters) asking at approve: asks: Send this? Dear\\u{1b}[2J Ann")
    );
    let program = world.resume("letter", vec![]);
    assert_eq!(world.cot(&["answer", "letter", "approve", r#"{"is_good":true}"#]).code, 0);
    program.join().unwrap().unwrap();
    let rest: Vec<String> = printed.collect();
    assert!(rest.last().unwrap().contains("letter (Letters) end at sent"), "{rest:?}");
    assert_eq!(watch.wait().unwrap().code(), Some(0));
}

#[test]
fn runs_beyond_the_limit_are_counted() {
    let world = World::new();
    world.submit(503);
    let shown = world.cot(&["watch", "--once"]);
    assert_eq!((shown.code, shown.out.lines().count()), (0, 501));
    assert_eq!(
        shown.err,
        "note: 3 more runs that have not ended: name runs, or choose them with --process\n"
    );
    let named = world.cot(&["watch", "--once", "run-7"]);
    assert_eq!((named.code, named.out.lines().count(), named.err.as_str()), (0, 2, ""));
}
