//! Where the conclusion of a text begins.

/// What divides the steps from the conclusion, wherever it stands.
const HASHES: &str = "####";

/// The words that begin a conclusion at the start of a line.
const MARKERS: [&str; 8] =
    ["conclusion", "answer", "therefore", "final answer", "in conclusion", "thus", "hence", "so"];

/// The text before the first `####` and the conclusion after it, if there is one.
pub(super) fn after_hashes(text: &str) -> Option<(&str, &str)> {
    let (before, after) = text.split_once(HASHES)?;
    let conclusion = after.trim();
    (!conclusion.is_empty()).then_some((before, conclusion))
}

/// The lines before the first one that begins with a marker, and the conclusion that begins there, unless
/// it is empty.
pub(super) fn after_marker(text: &str) -> (&str, Option<&str>) {
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(rest) = after_marker_of(line) {
            let (before, from_here) = text.split_at(line_start);
            let marker = line.len() - rest.len();
            let conclusion = from_here.get(marker..).unwrap_or_default().trim();
            return (before, (!conclusion.is_empty()).then_some(conclusion));
        }
        line_start += line.len();
    }
    (text, None)
}

/// What follows in the line on its marker, if it begins with one.
fn after_marker_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    // Most lines begin with another letter than any marker.
    let first = line.bytes().next()?.to_ascii_lowercase();
    let mut markers = MARKERS.iter().filter(|marker| marker.as_bytes().first() == Some(&first));
    let rest = markers.find_map(|marker| after_word(line, marker))?.trim_start();
    Some(rest.strip_prefix([':', '-']).unwrap_or(rest))
}

/// What follows on a word, if the text begins with it, in any case, and the word ends there.
fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    let ends_there = || !rest.chars().next().is_some_and(continues_word);
    (start.eq_ignore_ascii_case(word) && ends_there()).then_some(rest)
}

/// Letters, digits, `_`, and marks that change the letter before them.
fn continues_word(c: char) -> bool {
    regex_syntax::try_is_word_character(c).unwrap_or_else(|_| c.is_alphanumeric())
}
