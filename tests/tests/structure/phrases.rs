//! Phrases that plain technical English does without, in docs, comments, messages, guides and the README.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::workspace::root;

/// Phrases, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("anew", "again"),
    ("are told", "receive"),
    ("came of", "the result of"),
    ("goes deaf", "stops"),
    ("goes on", "continues, resumes"),
    ("gone on", "continued, resumed"),
    ("hears", "receives"),
    ("is told", "receives"),
    ("the one who", "the user, the caller"),
    ("was told", "received"),
    ("went on", "continued, resumed"),
    ("were told", "received"),
    ("what came", "the reply, the result"),
    ("whoever", "name the actor"),
];

/// Texts that models read: stored runs and captures hold them, so they change only where they are wrong.
const FOR_MODELS: &[&str] = &[
    "crates/cot-agents/src/plan_execute/prompt.rs",
    "crates/cot-agents/src/task_session/conversation/primer.md",
];

/// Where the texts of the project are.
const TEXTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "book",
    "cot-core/docs",
    "cot-core/src",
    "cot-macros/src",
    "crates",
    "examples",
];

#[test]
fn texts_have_no_opaque_phrase() {
    let mut found = Vec::new();
    for file in TEXTS.iter().flat_map(|text| files_in(&root().join(text))) {
        if FOR_MODELS.iter().any(|text| root().join(text) == file) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            for (phrase, instead) in phrases_in(line) {
                let file = file.strip_prefix(root()).unwrap().display();
                found.push(format!("{file}:{}: `{phrase}` (write: {instead})", number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn phrases_are_found_as_words() {
    let found = |line| phrases_in(line).map(|(phrase, _)| *phrase).collect::<Vec<_>>();
    assert_eq!(found("/// What came is told anew."), ["anew", "is told", "what came"]);
    assert_eq!(found("// this toldar renews whatcame"), [""; 0]);
}

fn phrases_in(line: &str) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let line = line.to_lowercase();
    PHRASES.iter().filter(move |(phrase, _)| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        line.match_indices(phrase).any(|(at, _)| {
            !line[..at].ends_with(is_word) && !line[at + phrase.len()..].starts_with(is_word)
        })
    })
}

/// The Rust and Markdown files at a path.
fn files_in(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        return entries.flat_map(|path| files_in(&path)).collect();
    }
    let is_text = path.extension().is_some_and(|extension| extension == "rs" || extension == "md");
    if is_text { vec![path.to_owned()] } else { Vec::new() }
}
