//! The page of errors in the guide (`cot-core/docs/errors.md`) says what the compiler says: the cases
//! in `tests/ui` hold every message, and the page neither lacks one nor has one that nobody sees. The codes that the
//! macros show are those of the page: `UPDATE_EXPECT=1 cargo test -p cot-tests --test errors_page` writes their table.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::{fs, path::Path};

use cot_syntax::codes::matches;
use expect_test::expect_file;

const PAGE: &str = include_str!("../../cot-core/docs/errors.md");

/// One error on the page: `## COT0001: heading / another`, and what its example prints.
struct Entry {
    /// Errors that rustc words itself have no code of ours.
    code: Option<String>,
    headings: Vec<String>,
    /// `error: …`, and the notes and help below it.
    printed: Vec<String>,
}

/// One error of the compiler: its first line, and those below it.
type Said = Vec<String>;

#[test]
fn every_error_is_on_the_page_and_has_its_code() {
    let entries = entries();
    let mut missing: Vec<String> = said()
        .iter()
        .filter(|said| is_ours(said))
        .map(|said| message(&said[0]).to_owned())
        .filter(|message| !entries.iter().any(|entry| is_of(entry, message)))
        .collect();
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "`errors.md` has no heading with the code of: {missing:#?}");
}

#[test]
fn every_heading_is_an_error() {
    let said = said();
    let mut stale = Vec::new();
    for entry in entries() {
        let text = |said: &Said| without_code(&entry, message(&said[0])).map(str::to_owned);
        let texts: Vec<_> = said.iter().filter_map(text).collect();
        let is_said = |heading: &String| texts.iter().any(|text| matches(heading, text));
        stale.extend(entry.headings.iter().filter(|heading| !is_said(heading)).cloned());
    }
    assert!(stale.is_empty(), "no case in `ui` gives these errors of `errors.md`: {stale:#?}");
}

#[test]
fn the_table_of_codes_is_that_of_the_page() {
    let rows = entries().into_iter().flat_map(|entry| {
        let code = entry.code.into_iter();
        code.flat_map(move |code| {
            entry.headings.clone().into_iter().map(move |heading| format!("{code} {heading}\n"))
        })
    });
    let table: String = rows.collect();
    expect_file!["../../crates/cot-syntax/src/codes.txt"].assert_eq(&table);
}

#[test]
fn codes_and_headings_are_there_once() {
    let codes = entries().into_iter().filter_map(|entry| entry.code);
    let headings = entries().into_iter().flat_map(|entry| entry.headings);
    let mut all: Vec<String> = codes.chain(headings).collect();
    all.sort();
    let twice: Vec<_> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
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

/// Whether the example of an entry is one of its headings' errors.
fn fits(entry: &Entry) -> bool {
    let first = entry.printed.first().map(|line| message(line));
    first.is_some_and(|first| is_of(entry, first))
}

/// Whether a message has the code of an entry, and one of its headings.
fn is_of(entry: &Entry, message: &str) -> bool {
    let text = without_code(entry, message);
    text.is_some_and(|text| entry.headings.iter().any(|heading| matches(heading, text)))
}

/// Returns a message that has the code of an entry, without it.
fn without_code<'m>(entry: &Entry, message: &'m str) -> Option<&'m str> {
    match &entry.code {
        Some(code) => message.strip_suffix(&format!(" [{code}]")),
        None => Some(message).filter(|message| !message.contains("[COT")),
    }
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

fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in PAGE.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let (code, headings) =
                match heading.split_once(": ").filter(|_| heading.starts_with("COT")) {
                    Some((code, headings)) => (Some(code.to_owned()), headings),
                    None => (None, heading),
                };
            let headings = headings.split(" / ").map(str::to_owned).collect();
            entries.push(Entry { code, headings, printed: Vec::new() });
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
