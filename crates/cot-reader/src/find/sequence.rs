//! Reads sequences of values, as in newline-delimited JSON.

use std::ops::Range;

use serde_json::Value;

use super::candidate::{Candidate, CandidateContent};
use crate::{
    parse::{self, fuel::Fuel, parsed::ParsedValue},
    repair::{catalogue::RepairKind, repairs::Repairs},
};

/// Reads a text that consists of several values as a list of them. If all are equal, another reading is the
/// value itself.
pub(super) fn read(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Option<Vec<ParsedValue>> {
    let text = text.get(..whole.end)?;
    let mut values = Vec::new();
    let mut repairs = Repairs::default();
    let mut at = whole.start;
    while at < whole.end {
        let (value, end, more) = next(text, at, fuel)?;
        values.push(value);
        repairs.append(more);
        let rest = text.get(end..)?;
        let blank = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', ',']).len();
        at = end + blank;
        if blank == 0 && !rest.is_empty() && !rest.starts_with('{') {
            return None;
        }
    }
    let first = values.first()?;
    let is_empty = |value: &Value| value.as_object().is_some_and(|object| object.is_empty());
    if values.iter().any(is_empty) {
        return None;
    }
    let is_same = values.iter().all(|value| value == first);
    if values.len() == 1 {
        return None;
    }
    let again = is_same.then(|| {
        let mut repairs = repairs.clone();
        repairs.add(&[], RepairKind::RepeatedValue);
        ParsedValue { value: first.clone(), repairs, cut: None }
    });
    repairs.add(&[], RepairKind::ValuesInRow);
    let list = ParsedValue { value: Value::Array(values), repairs, cut: None };
    Some(again.into_iter().chain([list]).collect())
}

/// Combines consecutive objects in prose into a list.
pub(crate) fn combine_objects(text: &str, candidates: &[Candidate]) -> Option<ParsedValue> {
    let (first, last) = (candidates.first()?, candidates.last()?);
    let is_gap = |from: usize, to: usize| {
        let gap = text.get(from..to).unwrap_or("x");
        gap.chars().all(|c| c.is_whitespace() || c == ',')
    };
    let in_a_row = candidates
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if is_gap(a.span.end, b.span.start)));
    // Repeated values are a single candidate, so that the rest must not continue the sequence.
    let rest = text.get(last.span.end..)?.trim_start();
    if first.span == last.span || !in_a_row || rest.starts_with(['{', ',']) {
        return None;
    }
    let mut repairs = Repairs::default();
    let mut values = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let CandidateContent::Readings(readings) = &candidate.content else { return None };
        let [only] = readings.as_slice() else { return None };
        if !only.value.is_object() || only.cut.is_some() {
            return None;
        }
        repairs.append(only.repairs.clone());
        values.push(only.value.clone());
    }
    repairs.add(&[], RepairKind::ValuesInRow);
    Some(ParsedValue { value: Value::Array(values), repairs, cut: None })
}

fn next(text: &str, at: usize, fuel: &Fuel) -> Option<(Value, usize, Repairs)> {
    let rest = text.get(at..)?;
    if !rest.starts_with('{') {
        return None;
    }
    if let Some((value, length)) = parse::strict_start(rest) {
        return value.map(|value| (value, at + length, Repairs::default()));
    }
    let lenient = parse::lenient(text, at, fuel).ok()?;
    let [only] = <[ParsedValue; 1]>::try_from(lenient.readings).ok()?;
    only.cut.is_none().then_some((only.value, lenient.end, only.repairs))
}
