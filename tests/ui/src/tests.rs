//! Programs that the macros judge.
//!
//! Each folder but `accepted`, `rustc` and `src` holds invalid programs of one kind about which the macros alone
//! report: a test in `cot-macros` compares the messages without a compiler. `rustc` holds those about which rustc
//! itself reports. They are compiled here, and so is one of each other kind, which shows that rustc prints
//! the messages of the macros in the same way. Accept a change with `UPDATE_EXPECT=1 cargo test -p cot-ui-tests`.

pub mod accepted;
mod assistants;
mod compiler;
mod normalize;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use expect_test::expect_file;

use compiler::{compile, compile_together, in_parallel};

#[test]
fn the_compiler_refuses() {
    let kinds = entries(&root().join("rustc"));
    let programs = kinds.iter().flat_map(|kind| programs_in(kind));
    let sample = sample();
    assert!(sample.len() > 15, "one of each kind: {sample:?}");
    let programs: Vec<_> = programs.chain(sample).collect();
    for (program, messages) in in_parallel(unexpected(programs), compile) {
        assert!(messages.contains("error"), "{} compiles:\n{messages}", program.display());
        expect_file![program.with_extension("stderr")].assert_eq(&messages);
    }
    // As root, rustc would replace a device that it is given for its output.
    assert!(!Path::new("/dev/null").is_file(), "the null device was replaced by a file");
}

/// Returns the programs whose messages are not the expected ones when many are the modules of one crate. The
/// messages of a program of its own decide: they may name the only type that implements a trait.
fn unexpected(mut programs: Vec<PathBuf>) -> Vec<PathBuf> {
    if env::var_os("UPDATE_EXPECT").is_none() {
        let found = compile_together(&programs);
        programs.retain(|program| {
            let expected = fs::read_to_string(program.with_extension("stderr"));
            found.get(program) != expected.ok().as_ref()
        });
    }
    programs
}

/// The first program of each kind about which the macros alone report.
fn sample() -> Vec<PathBuf> {
    let folders = entries(&root()).into_iter().filter(|path| {
        let others = ["accepted", "rustc", "src"].map(|name| root().join(name));
        path.is_dir() && !others.contains(path)
    });
    folders.filter_map(|folder| programs_in(&folder).into_iter().next()).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn programs_in(folder: &Path) -> Vec<PathBuf> {
    let mut programs = entries(folder);
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    programs
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut entries: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    entries
}
