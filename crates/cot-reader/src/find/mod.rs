//! Where the JSON of a reply is: bare, in prose, in fences, among thoughts.

use std::ops::Range;

use serde_json::Value;

use super::{
    parse::{self, Fuel, Parsed},
    repair::RepairClass,
};
use crate::Issues;

mod fault;
mod look;
mod scan;
mod sequence;
mod tags;
mod torn;
mod whole;

pub(super) use sequence::row;
pub(super) use tags::ends_json;

/// A part of a reply that may be the answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) span: Range<usize>,
    pub(crate) origin: Origin,
    pub(crate) found: Found,
}

/// What a candidate stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is all of the reply.
    Whole,
    /// It is in a fence.
    Fence,
    /// It is among other text.
    Prose,
}

/// What a candidate was read as.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    /// At least one, the cheapest first, all of different values.
    Readings(Vec<Parsed>),
    /// It can't be read.
    Fault {
        issues: Issues,
        /// Whether it was meant as JSON, and is no bracket in prose.
        is_meant: bool,
    },
}

/// All that may be the answer in a reply.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Candidates {
    /// In the order of the text.
    pub(crate) list: Vec<Candidate>,
    /// Whether there are more.
    pub(crate) has_more: bool,
}

/// How many candidates are told apart.
pub(super) const MAX_CANDIDATES: usize = 16;

/// The value of a reply that is JSON as it stands.
pub(super) fn whole(text: &str) -> Option<Value> {
    parse::strict(json_alone(text)?)
}

/// A reply without the space around it.
pub(crate) fn json_alone(text: &str) -> Option<&str> {
    text.get(trimmed(text))
}

/// What may be the answer in a reply.
pub(crate) fn candidates(text: &str) -> Candidates {
    match whole(text) {
        Some(value) => one(trimmed(text), value),
        None => mended(text),
    }
}

/// What may be the answer in a reply that is no JSON as it stands.
pub(super) fn mended(text: &str) -> Candidates {
    let whole = trimmed(text);
    let json = text.get(whole.clone()).unwrap_or_default();
    if let Some(found) = whole::html(json).or_else(|| whole::opened(json, &whole)) {
        return found;
    }
    let fuel = Fuel::of(text);
    let inner = look::unfenced(text, &whole);
    let origin = if inner.is_some() { Origin::Fence } else { Origin::Whole };
    let inner = inner.unwrap_or_else(|| whole.clone());
    let alone = |readings| Candidates {
        list: vec![Candidate { span: inner.clone(), origin, found: Found::Readings(readings) }],
        has_more: false,
    };
    if let Some(readings) = tuple(text, &inner, &fuel) {
        return alone(readings);
    }
    let mut found = scan::all(text, &whole, &fuel);
    let is_more = |candidate: &Candidate| candidate.span.end < inner.end;
    if (found.list.len() > 1 || found.list.first().is_some_and(is_more))
        && let Some(readings) = sequence::read(text, &inner, &fuel)
    {
        return alone(readings);
    }
    if found.list.is_empty()
        && let Some(scalar) = text.get(inner.clone()).and_then(|text| parse::scalar(text, &fuel))
    {
        return alone(vec![scalar]);
    }
    if !found.list.iter().any(is_structured)
        && let Some(text) = whole::fenced_text(json)
    {
        return alone(vec![text]);
    }
    if found.list.is_empty()
        && origin == Origin::Fence
        && let Some(readings) = whole::words(text, &inner, &fuel)
    {
        return alone(readings);
    }
    if found.list.is_empty()
        && let Some(scalar) = parse::scalar(whole::answer(json), &fuel)
    {
        return alone(vec![scalar]);
    }
    for candidate in &mut found.list {
        if candidate.span == whole {
            candidate.origin = Origin::Whole;
        }
    }
    found
}

/// Whether a candidate is more than a bracket in prose.
fn is_structured(candidate: &Candidate) -> bool {
    match &candidate.found {
        _ if candidate.origin == Origin::Whole => true,
        Found::Readings(readings) => readings.iter().any(|parsed| parsed.value.is_object()),
        Found::Fault { is_meant, .. } => *is_meant,
    }
}

/// The value that all of a text is, where it can be read in one way alone, and nothing of it is lost.
pub(super) fn only_value(text: &str) -> Option<Value> {
    let [only] = <[Candidate; 1]>::try_from(candidates(text).list).ok()?;
    let Found::Readings(readings) = only.found else { return None };
    let [Parsed { value, repairs, cut: None }] = <[Parsed; 1]>::try_from(readings).ok()? else {
        return None;
    };
    let is_kept = repairs.iter().all(|mended| mended.class != RepairClass::Loss);
    (only.origin == Origin::Whole && is_kept).then_some(value)
}

/// What follows the thoughts of a reply.
pub(crate) fn without_thoughts(text: &str) -> &str {
    let closing = text.match_indices("</").filter_map(|(at, _)| {
        let rest = text.get(at..)?;
        let (tag, length) = tags::thought(rest)?;
        if tag == tags::Tag::Closes { rest.get(length..) } else { None }
    });
    closing.last().unwrap_or(text)
}

/// The JSON of a reply that is still coming in, as far as it came.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Prefix {
    pub(crate) value: Value,
    /// How many values are unfinished on the way from the root to its last child, the last child of
    /// that, and so on; 0 when the root is finished.
    pub(crate) open: usize,
}

/// The JSON of a reply of which more may come: the first that looks as if it was meant.
pub(crate) fn prefix(text: &str) -> Option<Prefix> {
    let whole = trimmed(text);
    let fuel = Fuel::of(text);
    let start = scan::first(text, &whole)?;
    // What is JSON so far needs no guesses, and so none that the rest of the text could prove wrong.
    if let Some((value, open)) = parse::begun(text.get(start..)?) {
        return Some(Prefix { value, open });
    }
    let coming = parse::coming(text, start, &fuel)?;
    Some(Prefix { value: coming.value, open: coming.open })
}

/// The readings of a text that is a tuple and nothing else.
fn tuple(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Option<Vec<Parsed>> {
    let json = text.get(whole.clone())?;
    let is_tuple = json.starts_with('(') && look::is_tuple(json);
    if is_tuple { look::tuple(text, whole, fuel) } else { None }
}

fn one(span: Range<usize>, value: Value) -> Candidates {
    let found = Found::Readings(vec![untouched(value)]);
    Candidates { list: vec![Candidate { span, origin: Origin::Whole, found }], has_more: false }
}

/// A value that needed no repair.
fn untouched(value: Value) -> Parsed {
    Parsed { value, repairs: Default::default(), cut: None }
}

/// The text without blanks and byte-order marks around it.
fn trimmed(text: &str) -> Range<usize> {
    let is_bare = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    if is_bare(text.as_bytes().first()) && is_bare(text.as_bytes().last()) {
        return 0..text.len();
    }
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let end = text.trim_end_matches(is_blank).len();
    let start = text.len() - text.trim_start_matches(is_blank).len();
    start.min(end)..end
}

#[cfg(test)]
mod tests;
