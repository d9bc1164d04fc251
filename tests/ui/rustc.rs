//! What the compiler reports: every program in `rustc`, about which rustc itself speaks, and one of each
//! kind of those about which the macros alone do, to show that rustc prints their messages in the same
//! way as the test in `cot-macros`. Accept a change with
//! `UPDATE_EXPECT=1 cargo test -p cot-ui-tests --test rustc`.

mod normalize;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

use expect_test::expect_file;

/// The crates that this test was compiled with: the programs use the same.
const CRATES: &[&str] = &cot_externs::arguments!();

/// What cargo would say, and what keeps messages the same on all machines.
const SETTINGS: [&str; 10] = [
    "--edition=2024",
    "--crate-type=bin",
    "--crate-name=program",
    "--emit=metadata",
    "--color=never",
    "--diagnostic-width=140",
    "--verbose",
    "-Adead_code",
    "-o",
    "/dev/null",
];

#[test]
fn the_compiler_refuses() {
    let kinds = entries(Path::new("rustc"));
    let programs = kinds.iter().flat_map(|kind| entries(kind)).filter(|path| is_program(path));
    let sample = sample();
    assert!(sample.len() > 15, "one of each kind: {sample:?}");
    for (program, (refused, messages)) in compile(programs.chain(sample)) {
        assert!(refused, "{} compiles:\n{messages}", program.display());
        expect_file![fs::canonicalize(&program).unwrap().with_extension("stderr")]
            .assert_eq(&messages);
    }
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

/// Compiles programs, as many at once as there are cores. Each is told as refused or not, with the messages.
fn compile(programs: impl Iterator<Item = PathBuf>) -> Vec<(PathBuf, (bool, String))> {
    let waiting: Mutex<Vec<PathBuf>> = Mutex::new(programs.collect());
    let compiled = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(program) = next(&waiting) {
                    let result = compile_one(&program);
                    compiled.lock().unwrap().push((program, result));
                }
            });
        }
    });
    let mut compiled = compiled.into_inner().unwrap();
    compiled.sort();
    compiled
}

/// A function of its own, as a lock in the head of a loop is held in its body.
fn next(waiting: &Mutex<Vec<PathBuf>>) -> Option<PathBuf> {
    waiting.lock().unwrap().pop()
}

fn compile_one(program: &Path) -> (bool, String) {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    // From where cargo compiled our crates, so that rustc finds what it shows of them.
    command.current_dir("../..").args(SETTINGS).args(CRATES);
    let output = command.arg(Path::new("tests/ui").join(program)).output().unwrap();
    let messages = String::from_utf8(output.stderr).expect("rustc writes UTF-8");
    (!output.status.success(), normalize::messages(&messages))
}

/// The first program of each kind about which the macros alone have something to say.
fn sample() -> Vec<PathBuf> {
    let folders = entries(Path::new(".")).into_iter().filter_map(|path| {
        let path = path.strip_prefix(".").ok()?.to_owned();
        let others = ["accepted", "rustc", "src"].map(Path::new);
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
