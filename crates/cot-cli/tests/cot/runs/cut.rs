//! `cot runs cut`.

use super::world::World;

/// A world with a run whose journal is unreadable from its third entry.
pub(super) fn damaged() -> World {
    let world = World::with_runs();
    let connection = rusqlite::Connection::open(world.path()).unwrap();
    let damage = "UPDATE journal SET hash = zeroblob(32) \
                  WHERE number = 2 AND run = (SELECT id FROM runs WHERE run = 'asking')";
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    world
}

#[test]
fn a_journal_that_does_not_read_is_said_with_what_to_do() {
    let world = damaged();
    let ended = world.cot(&["show", "asking"]);
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(ended.err.starts_with("error: entry 2 of run `asking` can't be read"), "{}", ended.err);
    assert!(ended.err.contains("cot runs cut asking --from 2 --yes"), "{}", ended.err);

    let ended = world.cot(&["tail", "asking", "-n", "100"]);
    assert_eq!((ended.out.lines().count(), ended.code), (2, 2), "what reads is printed");
    assert_eq!(world.listed(&[]).len(), 3, "the others are in nobody's way");
}

#[test]
fn nothing_is_cut_without_a_yes() {
    let world = damaged();
    let ended = world.cot(&["cut", "asking", "--from", "2"]);
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(ended.err.starts_with("error: this permanently removes "), "{}", ended.err);
    assert!(ended.err.contains(" of run `asking`\n"), "{}", ended.err);
    assert!(ended.err.contains("--yes"), "{}", ended.err);
    assert_eq!(world.cot(&["show", "asking"]).code, 2);
}

#[test]
fn the_end_of_a_journal_is_cut() {
    let world = damaged();
    let printed = world.printed(&["cut", "asking", "--from", "2", "--yes"]);
    assert!(printed.ends_with("of run asking removed\n"), "{printed}");
    assert_eq!(world.json(&["tail", "asking"]).len(), 2);
    assert!(world.printed(&["show", "asking"]).contains("status   running at write"));
    assert_eq!(world.cot(&["cut", "nobody", "--from", "2", "--yes"]).code, 1);
    assert_eq!(world.cot(&["cut", "asking", "--from", "0", "--yes"]).code, 2);
}
