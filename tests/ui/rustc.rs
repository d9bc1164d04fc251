//! What the compiler reports: every program in `rustc`, about which rustc itself speaks, and one of each
//! kind of those about which the macros alone do, to show that rustc prints their messages in the same
//! way as the test in `cot-macros`. Bless a change with
//! `TRYBUILD=overwrite cargo test -p cot-ui-tests --test rustc`.

use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn the_compiler_refuses() {
    // Without a program that passes, trybuild checks all at once.
    let cases = trybuild::TestCases::new();
    cases.compile_fail("rustc/*/*.rs");
    let sample = sample();
    assert!(sample.len() > 15, "one of each kind: {sample:?}");
    sample.iter().for_each(|case| cases.compile_fail(case));
}

#[test]
fn every_accepted_program_is_a_target() {
    let manifest = include_str!("Cargo.toml");
    let kinds = entries(Path::new("accepted"));
    for program in kinds.iter().flat_map(|kind| entries(kind)) {
        let path = program.to_str().expect("names are ASCII");
        assert!(manifest.contains(&format!("path = \"{path}\"")), "Cargo.toml lacks {path}");
    }
}

/// The first program of each kind about which the macros alone have something to say.
fn sample() -> Vec<PathBuf> {
    let folders = entries(Path::new(".")).into_iter().filter_map(|path| {
        let path = path.strip_prefix(".").ok()?.to_owned();
        let others = ["accepted", "rustc", "src", "wip"].map(Path::new);
        (path.is_dir() && !others.contains(&path.as_path())).then_some(path)
    });
    folders
        .filter_map(|folder| entries(&folder).into_iter().find(|path| is_program(path)))
        .collect()
}

fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut entries: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    entries
}
