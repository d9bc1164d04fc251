//! Candidates in replies.

use serde_json::Value;

use super::{candidate::CandidateContent, find::candidates};
use crate::parse::parsed::ParsedValue;

mod cases;
mod conformance;
mod hostile;
mod prefix;
mod prose;
mod unsure;

/// Returns the readings of the only candidate of a text.
fn readings(text: &str) -> Vec<ParsedValue> {
    let found = candidates(text);
    let [candidate] = found.list.as_slice() else { panic!("{text}: {found:?}") };
    match &candidate.content {
        CandidateContent::Readings(readings) => readings.clone(),
        CandidateContent::Fault { issues, .. } => panic!("{text}: {issues}"),
    }
}

/// Returns the only reading of a text.
fn reading(text: &str) -> ParsedValue {
    let mut all = readings(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

/// Returns the issues of a text that can't be read.
fn fault(text: &str) -> (String, bool) {
    let found = candidates(text);
    let [candidate] = found.list.as_slice() else { panic!("{text}: {found:?}") };
    match &candidate.content {
        CandidateContent::Fault { issues, is_meant } => (issues.to_string(), *is_meant),
        CandidateContent::Readings(readings) => panic!("{text}: {readings:?}"),
    }
}

fn values(text: &str) -> Vec<Value> {
    let found = candidates(text);
    let values = found.list.iter().filter_map(|candidate| match &candidate.content {
        CandidateContent::Readings(readings) => Some(readings[0].value.clone()),
        CandidateContent::Fault { is_meant, .. } => {
            assert!(!is_meant, "{text}: {candidate:?}");
            None
        }
    });
    values.collect()
}

fn whats(parsed: &ParsedValue) -> Vec<&str> {
    parsed.repairs.iter().map(|repair| repair.description()).collect()
}
