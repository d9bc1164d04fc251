//! The lookup of arguments, of which a tool gets the value as it is written: nothing but the same text, or the same
//! number, is found.

use std::ops::Range;

use memchr::memmem::Finder;

use super::{
    characters::{Class, class, is_unspaced},
    numbers::{Digits, Written},
};

/// How often the bytes of a source are compared at most for one value.
const MAX_ROUNDS: usize = 8;
/// Characters within addresses, paths and names.
const JOINERS: &str = "-.@/\\&\u{2010}\u{2011}";
/// Characters around a value that are no part of it.
const AROUND: &str = "\"'`()[]{}<>\u{2018}\u{2019}\u{201c}\u{201d}\u{201e}\u{ab}\u{bb}";
/// Characters at the end of a sentence or of a part of it.
const ENDS: &str = ".,;:!?";

/// Returns the first place of a text, byte for byte but for white space at its ends, that cuts no word, number, address
/// or path. The work is linear in the length of the source.
pub(super) fn find_text(source: &str, value: &str) -> Option<Range<usize>> {
    let value = value.trim();
    if value.is_empty() {
        return None;
    }
    let finder = Finder::new(value);
    let (mut from, mut work) = (0, 0);
    while work <= source.len().saturating_mul(MAX_ROUNDS) {
        let start = from + finder.find(source.as_bytes().get(from..)?)?;
        let place = start..start + value.len();
        if is_uncut(source, &place) {
            return Some(place);
        }
        work += start - from + value.len();
        from = start + 1;
    }
    None
}

/// Returns the place of the first number that can be read in no other way than as this one, with its sign.
pub(super) fn find_number(source: &str, number: &str) -> Option<Range<usize>> {
    let digits = Digits::new(number);
    let is_negative = number.starts_with('-') && digits != Digits::new("0");
    let mut at = 0;
    while let Some(start) = source.get(at..)?.find(|c: char| c.is_ascii_digit()) {
        let written = Written::read(source, at + start);
        let (sign, place) = signed(source, written.range());
        let is_same = (sign == Some(true)) == is_negative && is_uncut(source, &place);
        if is_same && written.only_reading(source).as_ref() == Some(&digits) {
            return Some(place);
        }
        at = written.range().end;
    }
    None
}

/// Returns whether a number has a sign that is negative, if it has one, and its place with the sign.
fn signed(source: &str, place: Range<usize>) -> (Option<bool>, Range<usize>) {
    let before = source.get(..place.start).and_then(|before| before.chars().next_back());
    match before.filter(|c| matches!(c, '-' | '+' | '\u{2212}')) {
        Some(sign) => (Some(sign != '+'), place.start - sign.len_utf8()..place.end),
        None => (None, place),
    }
}

fn is_uncut(source: &str, place: &Range<usize>) -> bool {
    let (Some(before), Some(value), Some(after)) =
        (source.get(..place.start), source.get(place.clone()), source.get(place.end..))
    else {
        return false;
    };
    let mut before = before.chars().rev();
    let mut after = after.chars();
    let starts = value.chars().next().is_some_and(|edge| {
        let neighbors = (before.next(), before.next());
        // A sign or a decimal point belongs to a number.
        let is_signed = |c: char| class(c) == Class::Dash || "+.,".contains(c);
        is_end(edge, neighbors, "") && !(edge.is_numeric() && neighbors.0.is_some_and(is_signed))
    });
    let ends = |edge| is_end(edge, (after.next(), after.next()), ENDS);
    starts && value.chars().next_back().is_some_and(ends)
}

/// Returns whether a value can end between a character of it and the next one; `beyond` is the one after that.
fn is_end(edge: char, (next, beyond): (Option<char>, Option<char>), marks: &str) -> bool {
    let Some(next) = next.filter(|next| !next.is_whitespace()) else { return true };
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
    if !is_in_word(edge) {
        let is_mark =
            marks.contains(next) && next != edge && beyond.is_none_or(char::is_whitespace);
        return is_mark || AROUND.contains(next);
    }
    if is_in_word(next) || class(next) == Class::Nothing {
        return is_unspaced(edge) || is_unspaced(next);
    }
    let is_number = edge.is_numeric() && beyond.is_some_and(char::is_numeric);
    let is_joined = JOINERS.contains(next) && beyond.is_some_and(is_in_word);
    // Any other mark between digits makes a number, a time or a range of them.
    !is_joined && !is_number
}
