//! `cot runs list`.

use cot_core::store::Store as _;
use serde_json::Value;

use super::world::World;
use crate::keys;

#[test]
fn a_table_shows_each_run_on_a_line() {
    let world = World::with_runs();
    let printed = world.printed(&["list"]);
    let words: Vec<Vec<&str>> =
        printed.lines().map(|line| line.split_whitespace().collect()).collect();
    let titles = [
        "run", "process", "status", "task", "steps", "calls", "tokens", "cost", "updated", "driven",
    ];
    assert_eq!(words[0], titles);
    let rows: Vec<_> = words[1..].iter().map(|row| row[..8].join(" ")).collect();
    assert_eq!(
        rows,
        [
            "failed Letters halted write 1 2 2200 0.5000",
            "done Letters end sent 2 1 1100 0.2500",
            "asking Letters asking approve 2 2 2200 0.5000",
        ]
    );
    for row in &words[1..] {
        assert!(row[8].ends_with('Z') && row[9] == "no", "{row:?}");
    }
    let statuses: Vec<_> = printed.lines().map(|line| line.find(words[0][2])).collect();
    let column = statuses[0].unwrap();
    assert!(printed.lines().nth(3).unwrap()[column..].starts_with("asking"), "{printed}");
}

#[test]
fn there_are_colours_only_where_they_are_wanted() {
    let world = World::with_runs();
    assert!(!world.printed(&["list"]).contains('\u{1b}'));
    assert!(world.printed(&["list", "--color", "always"]).contains("\u{1b}[33masking"));
    assert!(!world.printed(&["list", "--color", "always", "--json"]).contains('\u{1b}'));
}

#[test]
fn runs_are_filtered() {
    let world = World::with_runs();
    assert_eq!(world.listed(&[]), ["failed", "done", "asking"]);
    assert_eq!(world.listed(&["--limit", "1"]), ["failed"]);
    assert_eq!(world.listed(&["--asking"]), ["asking"]);
    assert_eq!(world.listed(&["--unfinished"]), ["asking"]);
    assert_eq!(world.listed(&["--ended"]), ["failed", "done"]);
    assert_eq!(world.listed(&["--process", "Letters"]).len(), 3);
    assert_eq!(world.listed(&["--process", "Others"]).len(), 0);
    assert_eq!(world.cot(&["list", "--ended", "--unfinished"]).code, 2);
}

#[test]
fn the_json_of_a_run_is_as_promised() {
    let world = World::with_runs();
    let runs = world.json(&["list", "--asking"]);
    let [run] = runs.as_slice() else { unreachable!("{runs:?}") };
    let readme = include_str!("../../../README.md");
    let promised = readme.lines().find(|line| line.starts_with(r#"{"run":"#)).unwrap();
    let promised: Value = serde_json::from_str(promised).unwrap();
    assert_eq!(keys(run), keys(&promised));
    for part in ["status", "usage"] {
        assert_eq!(keys(&run[part]), keys(&promised[part]));
    }
    assert_eq!(run["status"]["key"], "approve#1@1");
    assert_eq!(run["status"]["question"], "Send this?\nDear Ann");
}

#[cfg(unix)]
#[test]
fn a_driver_that_can_not_be_looked_at_is_unknown() {
    let world = World::with_runs();
    let store = world.store();
    let _lease = super::world::wait(store.acquire(&"asking".parse().unwrap())).unwrap();
    let mut owners = std::fs::read_dir(world.path().with_extension("db.owners")).unwrap();
    let file = owners.next().unwrap().unwrap().path();
    // Makes the file unreadable, even for root.
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&file, &file).unwrap();

    let listed = world.cot(&["list", "--asking"]);
    assert!(listed.out.trim_end().ends_with("unknown"), "{}", listed.out);
    let process = format!("process {} is still alive", std::process::id());
    assert!(listed.err.contains("warning") && listed.err.contains(&process), "{}", listed.err);
    let run = &world.json(&["list", "--asking"])[0];
    assert_eq!(run["is_driven"], false);
    assert!(run["driver_error"].as_str().unwrap().contains(&process));
    assert!(world.printed(&["show", "asking"]).contains(&process));
}
