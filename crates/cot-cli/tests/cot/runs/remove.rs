//! `cot runs remove`.

use super::world::World;

#[test]
fn nothing_is_removed_without_a_yes() {
    let world = World::with_runs();
    let ended = world.cot(&["remove", "asking"]);
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(
        ended.err.starts_with("error: this permanently removes run `asking` and its "),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("--yes"), "{}", ended.err);
    assert_eq!(world.listed(&[]).len(), 3);
}

#[test]
fn a_run_that_is_not_over_is_removed_and_no_other() {
    let world = World::with_runs();
    assert_eq!(world.printed(&["remove", "asking", "--yes"]), "run asking removed\n");
    assert_eq!(world.listed(&[]).len(), 2);
    assert_eq!(world.cot(&["show", "asking"]).code, 1);
}

/// Such a run can't be cut.
#[test]
fn a_run_whose_beginning_does_not_read_can_be_removed() {
    let world = World::with_runs();
    let connection = rusqlite::Connection::open(world.path()).unwrap();
    let damage = "UPDATE journal SET hash = zeroblob(32) \
                  WHERE number = 0 AND run = (SELECT id FROM runs WHERE run = 'asking')";
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    let ended = world.cot(&["show", "asking"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("cot runs remove asking --yes"), "{}", ended.err);
    world.printed(&["remove", "asking", "--yes"]);
    assert_eq!(world.listed(&[]).len(), 2);
}
