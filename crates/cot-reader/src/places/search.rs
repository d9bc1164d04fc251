//! The traces of all readings of a reply.

use cot_schema::internal::PathSegment;

use crate::{
    find::find::{candidates, trimmed},
    parse::{
        fuel::Fuel,
        trace::{locate::trace, trace::Trace},
    },
};

/// Returns a trace for each reading of a reply, in the order of the text.
pub(super) fn traces(reply: &str) -> Vec<Trace> {
    // The places would be those in the text without its entities.
    if reply.contains("&quot;") && !reply.contains('"') {
        return Vec::new();
    }
    let fuel = Fuel::for_text(reply);
    let whole = trimmed(reply);
    let text = reply.get(..whole.end).unwrap_or_default();
    if let Some(trace) = opened(text, whole.start, &fuel) {
        return vec![trace];
    }
    let mut traces = Vec::new();
    for candidate in candidates(reply).list {
        let first = trace(text, candidate.span.start, &[], &fuel);
        let is_more = first.iter().all(|first| first.end < candidate.span.end);
        if is_more {
            traces.extend(sequence(text, candidate.span.start, candidate.span.end, &fuel));
        }
        traces.extend(first);
    }
    traces
}

/// Returns the trace of an object or list of which the opening bracket is missing.
fn opened(text: &str, start: usize, fuel: &Fuel) -> Option<Trace> {
    let json = text.get(start..)?;
    let opener = match json.bytes().last()? {
        b'}' => "{",
        b']' => "[",
        _ => return None,
    };
    let json = json.starts_with('"').then(|| format!("{opener}{json}"))?;
    crate::parse::strict(&json)?;
    let trace = trace(&json, 0, &[], fuel).into_iter().next()?;
    Some(trace.map(|at| start + at.saturating_sub(1)))
}

/// Returns the trace of several values in a row, which are read as a list.
fn sequence(text: &str, start: usize, end: usize, fuel: &Fuel) -> Option<Trace> {
    let mut all = Trace::default();
    let mut at = start;
    for index in 0.. {
        let next = trace(text, at, &[PathSegment::Index(index)], fuel).into_iter().next()?;
        if next.is_malformed || next.end <= at {
            break;
        }
        let rest = text.get(next.end..)?;
        let blank = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', ',']).len();
        at = next.end + blank;
        all.append(next);
        if at >= end || !text.get(at..)?.starts_with('{') {
            break;
        }
    }
    // The first one may be malformed.
    if all.end <= start {
        return None;
    }
    all.values.insert("$".to_owned(), start..all.end);
    Some(all)
}
