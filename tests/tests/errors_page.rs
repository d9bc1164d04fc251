//! The page of errors in the guide (`cot-core/docs/errors.md`) says what the compiler says: the cases
//! in `ui` hold every message, and the page neither lacks one nor has one that nobody sees.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::{fs, path::Path};

const PAGE: &str = include_str!("../../cot-core/docs/errors.md");

/// One error on the page: `## heading / another`, and what its example prints.
struct Entry {
    headings: Vec<String>,
    /// `error: …`, and the notes and help below it.
    printed: Vec<String>,
}

/// One error of the compiler: its first line, and those below it.
type Said = Vec<String>;

#[test]
fn every_error_is_on_the_page() {
    let headings: Vec<String> = entries().into_iter().flat_map(|entry| entry.headings).collect();
    let mut missing: Vec<String> = said()
        .iter()
        .filter(|said| is_ours(said))
        .map(|said| message(&said[0]).to_owned())
        .filter(|message| !headings.iter().any(|heading| matches(heading, message)))
        .collect();
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "`errors.md` has no heading for: {missing:#?}");
}

#[test]
fn every_heading_is_an_error() {
    let said = said();
    let is_said = |heading: &str| said.iter().any(|said| matches(heading, message(&said[0])));
    let headings = entries().into_iter().flat_map(|entry| entry.headings);
    let stale: Vec<String> = headings.filter(|heading| !is_said(heading)).collect();
    assert!(stale.is_empty(), "no case in `ui` gives these errors of `errors.md`: {stale:#?}");
}

#[test]
fn headings_are_there_once() {
    let mut headings: Vec<String> = entries().into_iter().flat_map(|it| it.headings).collect();
    headings.sort();
    let twice: Vec<_> = headings.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "twice in `errors.md`: {twice:#?}");
}

#[test]
fn every_example_prints_what_the_compiler_says() {
    let said = said();
    let wrong: Vec<String> = entries()
        .into_iter()
        .filter(|entry| !fits(entry) || !said.iter().any(|said| prints(entry, said)))
        .map(|entry| format!("{}: {:#?}", entry.headings.join(" / "), entry.printed))
        .collect();
    assert!(wrong.is_empty(), "examples of `errors.md` that no case in `ui` gives: {wrong:#?}");
}

#[test]
fn a_heading_stands_for_every_name() {
    assert!(matches("no task `…` in this process", "no task `ad` in this process"));
    assert!(matches("nothing is at least … and at most …", "nothing is at least 9 and at most 3"));
    assert!(!matches("no task `…` in this process", "no part `rule`"));
    assert!(!matches("expected a type", "expected a type, found a hat"));
    assert!(!matches("`…` is a flag", "this `end` is a flag"));
}

/// Whether the example of an entry is one of its headings' errors.
fn fits(entry: &Entry) -> bool {
    let first = entry.printed.first().map(|line| message(line));
    first.is_some_and(|first| entry.headings.iter().any(|heading| matches(heading, first)))
}

/// Whether the compiler says all that an example prints.
fn prints(entry: &Entry, said: &Said) -> bool {
    entry.printed.iter().all(|line| said.iter().any(|said| matches(line, said)))
}

/// Errors with a code are rustc's own, but under E0277 it tells what our traits have to say.
fn is_ours(said: &Said) -> bool {
    said[0].starts_with("error: ") || said[0].starts_with("error[E0277]: ")
}

/// An error without its `error: ` or `error[E0277]: `.
fn message(line: &str) -> &str {
    line.split_once(": ").unwrap().1
}

/// Whether a text is like a pattern, in which each `…` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('…');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in PAGE.lines() {
        if let Some(headings) = line.strip_prefix("## ") {
            let headings = headings.split(" / ").map(str::to_owned).collect();
            entries.push(Entry { headings, printed: Vec::new() });
        } else if is_printed(line) {
            entries.last_mut().unwrap().printed.push(line.trim().to_owned());
        }
    }
    entries
}

/// Whether a line is of an error: its first line, a note or its help.
fn is_printed(line: &str) -> bool {
    is_error(line) || line.trim_start().starts_with("= ")
}

fn is_error(line: &str) -> bool {
    line.starts_with("error: ") || line.starts_with("error[")
}

/// What the compiler says in the cases.
fn said() -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")];
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
            if file.is_dir() {
                folders.push(file);
            } else if file.extension().is_some_and(|extension| extension == "stderr") {
                let text = fs::read_to_string(file).unwrap();
                text.lines().filter(|line| is_printed(line)).for_each(|line| take(line, &mut all));
            }
        }
    }
    all
}

fn take(line: &str, all: &mut Vec<Said>) {
    if is_error(line) {
        all.push(Vec::new());
    }
    // Before the first error there may be the notes of a warning.
    if let Some(said) = all.last_mut() {
        said.push(line.trim().to_owned());
    }
}
