//! The program that is killed.

use std::{
    env,
    path::Path,
    process::{Output, Stdio},
};

use tokio::process::{Child, Command};

/// Whether the tests take the long form, which `.ci/long` runs.
pub(crate) fn is_long() -> bool {
    env::var_os("COT_LONG").is_some()
}

/// The number of kills of a test: all of them in the long form, few otherwise.
pub(crate) fn kills(all: usize) -> usize {
    if is_long() { all } else { all / 10 }
}

/// The exit code of a program whose store failed.
pub(crate) const STORE_FAILED: i32 = 3;

/// Starts the program on a database, all its runs at once.
pub(crate) fn start(database: &Path, url: &str) -> Child {
    start_with(&[], database, url)
}

/// Starts the program, one run after the other: each is alone in the store, and writes for itself.
pub(crate) fn start_one_by_one(database: &Path, url: &str) -> Child {
    start_with(&["one-by-one"], database, url)
}

/// Starts a worker that sets runs aside after so many crashes.
pub(crate) fn start_worker(database: &Path, url: &str, max_crashes: u32) -> Child {
    start_with(&["work", &max_crashes.to_string()], database, url)
}

/// Starts a worker that sets runs aside after the usual number of crashes.
pub(crate) fn start_usual_worker(database: &Path, url: &str) -> Child {
    start_with(&["work"], database, url)
}

/// Starts a version of the program that pays, and records its calls in a file.
pub(crate) fn start_paying(database: &Path, file: &Path, version: &str) -> Child {
    start_with(&[version], database, &file.display().to_string())
}

/// Starts the program whose runs have branches, and records their calls in a file.
pub(crate) fn start_ordering(database: &Path, file: &Path) -> Child {
    start_with(&["order"], database, &file.display().to_string())
}

fn start_with(arguments: &[&str], database: &Path, url: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_cot-crash-program"))
        .arg(database)
        .arg(url)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

/// Lets the program come to its end.
pub(crate) async fn run(database: &Path, url: &str) -> Output {
    start(database, url).wait_with_output().await.unwrap()
}

/// What the program said of its failure.
pub(crate) fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
