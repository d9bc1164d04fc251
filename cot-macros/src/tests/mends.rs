//! Tests that a program can apply the help of an error. The help that names one replacement has one of two forms, and
//! the page for assistants (`cot-core/docs/for_assistants.md`) says how to apply them. This test does so to the
//! programs in `tests/ui`.

use std::ops::Range;

use super::messages::{cases, errors_of, place};

/// How a help line begins that names a replacement in backticks.
const FORMS: [&str; 2] =
    ["  = help: did you mean `", "  = help: it is a field of the state: write `"];

#[test]
fn a_program_can_apply_the_help() {
    let (mut all, mut mended) = (0, 0);
    for case in cases() {
        let source = std::fs::read_to_string(&case).unwrap();
        let errors = errors_of(&source);
        let mends: Vec<_> = errors.iter().filter_map(|error| mend(error, &source)).collect();
        let names_one =
            |error: &&syn::Error| FORMS.iter().any(|form| error.to_string().contains(form));
        let named = errors.iter().filter(names_one).count();
        assert_eq!(named, mends.len(), "not every replacement in {} is found", case.display());
        all += errors.len();
        mended += mends.len();
        let left = errors_of(&applied(&source, &mends));
        let is_left = |mend: &&Mend| left.iter().any(|error| error.to_string() == mend.message);
        let is_left: Vec<_> = mends.iter().filter(is_left).collect();
        assert!(is_left.is_empty(), "{} keeps its errors: {is_left:#?}", case.display());
    }
    assert!(mended >= 60, "{mended} of {all} errors name their replacement");
}

/// A replacement that an error names.
#[derive(Debug)]
struct Mend {
    message: String,
    place: Range<usize>,
    text: String,
}

/// Reads the replacement of an error. It stands for what the first line has first in backticks, in the code that
/// the error underlines or, for a template, in the code that its note quotes. A replacement with `${` stands for that code.
fn mend(error: &syn::Error, source: &str) -> Option<Mend> {
    let message = error.to_string();
    let text = message.lines().find_map(|line| {
        let start = FORMS.iter().find_map(|form| line.strip_prefix(form))?;
        start.split('`').next()
    })?;
    let wrong = message.lines().next()?.split('`').nth(1)?;
    let within = place(error, source);
    let quoted = message
        .lines()
        .find_map(|line| line.strip_prefix("  = note: in `")?.split("`, line").next());
    let code = quoted.map_or(within.clone(), |code| {
        find(&source[within.clone()], code).map_or(within.clone(), |at| shifted(at, within.start))
    });
    let place = match text.starts_with("${") {
        true => code,
        false => shifted(find_word(&source[code.clone()], wrong)?, code.start),
    };
    Some(Mend { place, text: text.to_owned(), message })
}

fn find(text: &str, part: &str) -> Option<Range<usize>> {
    text.find(part).map(|start| start..start + part.len())
}

/// Finds a word that is no part of a longer one.
fn find_word(text: &str, word: &str) -> Option<Range<usize>> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut places = text.match_indices(word).map(|(start, _)| start..start + word.len());
    places.find(|at| {
        !is_part(text[..at.start].chars().next_back()) && !is_part(text[at.end..].chars().next())
    })
}

fn shifted(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

fn applied(source: &str, mends: &[Mend]) -> String {
    let mut mends: Vec<_> = mends.iter().collect();
    mends.sort_by_key(|mend| mend.place.start);
    mends.dedup_by_key(|mend| mend.place.clone());
    let mut text = source.to_owned();
    mends.iter().rev().for_each(|mend| text.replace_range(mend.place.clone(), &mend.text));
    text
}
