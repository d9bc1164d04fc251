//! Where the JSON of a reply is: bare, in prose, in fences, among thoughts.

use std::ops::Range;

use serde_json::Value;

use super::{
    candidate::{Candidate, Candidates, Found, Origin, one},
    look, scan, sequence, whole,
};
use crate::{
    parse::{self, fuel::Fuel, parsed::Parsed},
    repair::class::RepairClass,
};

/// The value of a reply that is JSON as it stands.
pub(crate) fn whole(text: &str) -> Option<Value> {
    parse::strict(json_alone(text)?)
}

/// A reply without the space around it.
pub fn json_alone(text: &str) -> Option<&str> {
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
pub(crate) fn mended(text: &str) -> Candidates {
    let whole = trimmed(text);
    let json = text.get(whole.clone()).unwrap_or_default();
    if let Some(found) = whole::html(json, candidates).or_else(|| whole::opened(json, &whole)) {
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
pub(crate) fn only_value(text: &str) -> Option<Value> {
    let [only] = <[Candidate; 1]>::try_from(candidates(text).list).ok()?;
    let Found::Readings(readings) = only.found else { return None };
    let [Parsed { value, repairs, cut: None }] = <[Parsed; 1]>::try_from(readings).ok()? else {
        return None;
    };
    let is_kept = repairs.iter().all(|repair| repair.class() != RepairClass::Loss);
    (only.origin == Origin::Whole && is_kept).then_some(value)
}

/// The readings of a text that is a tuple and nothing else.
fn tuple(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Option<Vec<Parsed>> {
    let json = text.get(whole.clone())?;
    let is_tuple = json.starts_with('(') && look::is_tuple(json);
    if is_tuple { look::tuple(text, whole, fuel) } else { None }
}

/// The text without blanks and byte-order marks around it.
pub(super) fn trimmed(text: &str) -> Range<usize> {
    let is_bare = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    if is_bare(text.as_bytes().first()) && is_bare(text.as_bytes().last()) {
        return 0..text.len();
    }
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let end = text.trim_end_matches(is_blank).len();
    let start = text.len() - text.trim_start_matches(is_blank).len();
    start.min(end)..end
}
