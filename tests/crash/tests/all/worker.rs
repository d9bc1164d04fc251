//! The program that is killed.

use std::{
    path::Path,
    process::{Output, Stdio},
};

use tokio::process::{Child, Command};

/// The exit code of a program whose store failed.
pub(crate) const STORE_FAILED: i32 = 3;

/// Starts the program on a database.
pub(crate) fn start(database: &Path, url: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_cot-crash-tests"))
        .arg(database)
        .arg(url)
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
