//! The engine is pure: no clock, no async, no I/O, no randomness, no threads.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::workspace::{cargo, root};

/// The crates and parts of crates that are pure. A part of a crate is a file or a folder in its `src`.
const PURE: &[&str] = &[
    "cot-agents/src/reasoning/machine",
    "cot-agents/src/recorder/run_recorder.rs",
    "cot-agents/src/recorder/trace_writer.rs",
    "cot-agents/src/task_session/conversation/calls.rs",
    "cot-agents/src/task_session/conversation/limits.rs",
    "cot-agents/src/task_session/conversation/prompt.rs",
    "cot-agents/src/task_session/conversation/reply_parser.rs",
    "cot-agents/src/task_session/conversation/resume.rs",
    "cot-agents/src/task_session/conversation/rules.rs",
    "cot-agents/src/task_session/conversation/state.rs",
    "cot-description/src",
    "cot-engine/src/machine",
    "cot-engine/src/process",
    "cot-engine/src/prompt",
    "cot-engine/src/protocol",
    "cot-engine/src/reply",
    "cot-engine/src/run",
    "cot-engine/src/snapshot",
    "cot-engine/src/values",
    "cot-model/src/media",
    "cot-model/src/part.rs",
    "cot-model/src/segments.rs",
    "cot-reader/src",
    "cot-schema/src/dialect",
    "cot-schema/src/graph",
    "cot-schema/src/output",
    "cot-schema/src/plain",
    "cot-store/src/delta",
    "cot-task-format/src",
    "cot-template/src",
];

/// Crates that perform I/O, read a clock, or make random numbers, of which the engine has none below it.
const IMPURE_CRATES: &[&str] =
    &["async-std", "fastrand", "hyper", "mio", "rand", "reqwest", "smol", "tokio", "ureq"];

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
fn pure_parts_hold_no_impure_word() {
    let files = pure_files();
    let found: Vec<String> = files.iter().flat_map(|file| impurities(file)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn pure_parts_exist() {
    let missing: Vec<_> = PURE.iter().filter(|part| !crates().join(part).exists()).collect();
    assert!(missing.is_empty(), "moved without an entry here: {missing:?}");
}

#[test]
fn the_engine_depends_on_no_impure_crate() {
    for package in ["cot-engine", "cot-task-format"] {
        let tree = cargo(&[
            "tree",
            "--offline",
            "--package",
            package,
            "--edges=normal",
            "--prefix=none",
            "--format={p}",
        ]);
        let crates: Vec<&str> =
            tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert!(crates.contains(&"cot-reader"), "{tree}");
        let impure: Vec<_> = crates.iter().filter(|name| IMPURE_CRATES.contains(name)).collect();
        assert!(impure.is_empty(), "{package} depends on {impure:?}");
    }
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

fn crates() -> PathBuf {
    root().join("crates")
}

fn pure_files() -> Vec<PathBuf> {
    let mut pending: Vec<PathBuf> = PURE.iter().map(|part| crates().join(part)).collect();
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if path.ends_with("tests") {
            continue;
        }
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            pending.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            files.push(path);
        }
    }
    files
}
