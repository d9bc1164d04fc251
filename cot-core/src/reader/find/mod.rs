//! Where the JSON of a reply is: bare, in prose, in fences, among thoughts.

use std::ops::Range;

use serde_json::Value;

use super::parse::{self, Fuel, Parsed};
use crate::Issues;

mod fault;
mod look;
mod scan;
mod sequence;
mod tags;

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

/// What may be the answer in a reply.
pub(crate) fn candidates(text: &str) -> Candidates {
    let whole = trimmed(text);
    let json = text.get(whole.clone()).unwrap_or_default();
    match parse::strict(json) {
        Ok(value) => return one(whole, Found::Readings(vec![untouched(value)])),
        Err(parse::Fault::Twice(twice)) => {
            return one(whole, Found::Fault { issues: twice.issue().into(), is_meant: true });
        }
        Err(parse::Fault::Malformed(_)) => {}
    }
    let fuel = Fuel::of(text);
    let inner = look::unfenced(text, &whole);
    let origin = if inner.is_some() { Origin::Fence } else { Origin::Whole };
    let inner = inner.unwrap_or_else(|| whole.clone());
    if let Some(found) = alone(text, &inner, &fuel) {
        return Candidates {
            list: vec![Candidate { span: inner, origin, found }],
            has_more: false,
        };
    }
    let mut found = scan::all(text, &whole, &fuel);
    for candidate in &mut found.list {
        if candidate.span == whole {
            candidate.origin = Origin::Whole;
        }
    }
    found
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

/// What a text is read as that holds one value and nothing else, but no object or array.
fn alone(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Option<Found> {
    let json = text.get(whole.clone())?;
    let readings = match json.bytes().next()? {
        b'{' | b'[' => sequence::read(text, whole, fuel)?,
        b'(' if look::is_tuple(json) => look::tuple(text, whole, fuel)?,
        _ => vec![parse::scalar(json, fuel)?],
    };
    Some(Found::Readings(readings))
}

fn one(span: Range<usize>, found: Found) -> Candidates {
    let origin = Origin::Whole;
    Candidates { list: vec![Candidate { span, origin, found }], has_more: false }
}

/// A value that needed no repair.
fn untouched(value: Value) -> Parsed {
    Parsed { value, repairs: Default::default(), cut: None }
}

/// The text without blanks and byte-order marks around it.
fn trimmed(text: &str) -> Range<usize> {
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let end = text.trim_end_matches(is_blank).len();
    let start = text.len() - text.trim_start_matches(is_blank).len();
    start.min(end)..end
}

#[cfg(test)]
mod tests;
