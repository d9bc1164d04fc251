//! The engine is pure: no clock, no async, no I/O, no randomness, no threads.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What makes up the engine.
const PURE: &[&str] = &[
    "../../crates/cot-engine/src",
    "../../crates/cot-model/src/part.rs",
    "../../crates/cot-model/src/segments.rs",
    "../../crates/cot-reader/src",
    "../../crates/cot-task-format/src",
    "../../crates/cot-schema/src/dialect",
    "../../crates/cot-schema/src/graph",
    "../../crates/cot-schema/src/output",
    "../../crates/cot-schema/src/plain",
    "reasoning/machine",
    "store/delta.rs",
    "store/delta",
    "task_format/recorder/record.rs",
    "task_format/session/core",
];

/// Words that no line of code in it holds.
const IMPURE: [&str; 13] = [
    "async",
    "await",
    "tokio",
    "Instant",
    "SystemTime",
    "fs",
    "net",
    "io",
    "env",
    "process::exit",
    "thread",
    "rand",
    "println",
];

#[test]
fn the_engine_is_pure() {
    let files = pure_files();
    assert!(files.len() > 15, "the engine has moved: {files:?}");
    let found: Vec<String> = files.iter().flat_map(|file| impurities(file)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn impurities_are_found() {
    for line in [
        "use std::time::{Duration, Instant};",
        "use std::{fs, io};",
        "std::thread::sleep(pause)",
        "async fn poll() {}",
        "let now = SystemTime::now();",
        "std::process::exit(1)",
    ] {
        assert!(impurity(line).is_some(), "{line}");
    }
    for line in ["/// No async, no clocks.", "let operand = offset;", "crate::process::Process"] {
        assert_eq!(impurity(line), None, "{line}");
    }
}

fn impurities(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().enumerate();
    let found = lines.filter_map(|(i, line)| {
        let word = impurity(line)?;
        Some(format!("{}:{}: `{word}` in `{}`", file.display(), i + 1, line.trim()))
    });
    found.collect()
}

/// The impure word in a line of code, if there is one.
fn impurity(line: &str) -> Option<&'static str> {
    let code = line.split("//").next().unwrap_or_default();
    IMPURE.into_iter().find(|word| {
        code.match_indices(word).any(|(at, _)| {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            !code[..at].ends_with(is_word) && !code[at + word.len()..].starts_with(is_word)
        })
    })
}

fn pure_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut pending: Vec<PathBuf> = PURE.iter().map(|name| root.join(name)).collect();
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if path.ends_with("tests") {
            continue;
        }
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            pending.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.exists()
            && !path.ends_with("tests.rs")
        {
            files.push(path);
        }
    }
    files
}
