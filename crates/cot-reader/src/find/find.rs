//! Finds the candidates for the answer in a reply.

use std::ops::Range;

use serde_json::Value;

use super::{
    candidate::{Candidate, CandidateContent, Candidates, Origin, single},
    look, scan, sequence, whole,
};
use crate::{
    parse::{self, fuel::Fuel, parsed::ParsedValue},
    repair::class::RepairClass,
};

/// Parses a reply that is valid JSON and nothing else.
pub(crate) fn parse_whole(text: &str) -> Option<Value> {
    parse::strict(text.get(trimmed(text))?)
}

/// Returns a reply without surrounding white space, or `None` if it has escapes that may be meant as backslashes.
pub fn trim_reply(text: &str) -> Option<&str> {
    text.get(trimmed(text)).filter(|json| !parse::has_odd_escapes(json))
}

/// Returns the candidates of a reply.
pub(crate) fn candidates(text: &str) -> Candidates {
    match parse_whole(text) {
        Some(value) => single(trimmed(text), value),
        None => lenient_candidates(text),
    }
}

/// Returns the candidates of a reply that is not valid JSON.
pub(crate) fn lenient_candidates(text: &str) -> Candidates {
    let whole = trimmed(text);
    let json = text.get(whole.clone()).unwrap_or_default();
    if let Some(found) = whole::html(json, candidates).or_else(|| whole::opened(json, &whole)) {
        return found;
    }
    let fuel = Fuel::for_text(text);
    let inner = look::unfenced(text, &whole);
    let origin = if inner.is_some() { Origin::Fence } else { Origin::Whole };
    let inner = inner.unwrap_or_else(|| whole.clone());
    let alone = |readings| Candidates {
        list: vec![Candidate {
            span: inner.clone(),
            origin,
            content: CandidateContent::Readings(readings),
        }],
        has_more: false,
    };
    if let Some(readings) = tuple(text, &inner, &fuel) {
        return alone(readings);
    }
    let mut found = scan::scan(text, &whole, &fuel);
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
    if let Some(parsed) = whole::unescaped_json(json) {
        return alone(with_readings_of(&whole, found, parsed));
    }
    for candidate in &mut found.list {
        if candidate.span == whole {
            candidate.origin = Origin::Whole;
        }
    }
    found
}

/// Adds the readings of the whole reply to one, cheapest first.
fn with_readings_of(
    whole: &Range<usize>,
    found: Candidates,
    parsed: ParsedValue,
) -> Vec<ParsedValue> {
    let mut readings = vec![parsed];
    for candidate in found.list.into_iter().filter(|candidate| candidate.span == *whole) {
        if let CandidateContent::Readings(others) = candidate.content {
            readings.extend(others);
        }
    }
    readings.sort_by_key(|reading| reading.repairs.cost());
    readings
}

/// Returns whether a candidate is more than a bracket in prose.
fn is_structured(candidate: &Candidate) -> bool {
    match &candidate.content {
        _ if candidate.origin == Origin::Whole => true,
        CandidateContent::Readings(readings) => {
            readings.iter().any(|parsed| parsed.value.is_object())
        }
        CandidateContent::Fault { is_meant, .. } => *is_meant,
    }
}

/// Reads a text that consists of one value, if the reading is unique and without loss.
pub(crate) fn only_value(text: &str) -> Option<Value> {
    let [only] = <[Candidate; 1]>::try_from(candidates(text).list).ok()?;
    let CandidateContent::Readings(readings) = only.content else { return None };
    let [ParsedValue { value, repairs, cut: None }] =
        <[ParsedValue; 1]>::try_from(readings).ok()?
    else {
        return None;
    };
    let is_kept = repairs.iter().all(|repair| repair.class() != RepairClass::Loss);
    (only.origin == Origin::Whole && is_kept).then_some(value)
}

/// Returns the readings of a text that consists of a tuple.
fn tuple(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Option<Vec<ParsedValue>> {
    let json = text.get(whole.clone())?;
    let is_tuple = json.starts_with('(') && look::is_tuple(json);
    if is_tuple { look::tuple(text, whole, fuel) } else { None }
}

/// Returns the range of a text without surrounding white space and byte-order marks.
pub(crate) fn trimmed(text: &str) -> Range<usize> {
    let is_bare = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    if is_bare(text.as_bytes().first()) && is_bare(text.as_bytes().last()) {
        return 0..text.len();
    }
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let end = text.trim_end_matches(is_blank).len();
    let start = text.len() - text.trim_start_matches(is_blank).len();
    start.min(end)..end
}
