//! What is found in a reply.

use serde_json::Value;

use super::{candidate::Found, find::candidates};
use crate::parse::parsed::Parsed;

mod cases;
mod conformance;
mod hostile;
mod prefix;
mod prose;
mod unsure;

/// The readings of the one candidate of a text.
fn readings(text: &str) -> Vec<Parsed> {
    let found = candidates(text);
    let [candidate] = found.list.as_slice() else { panic!("{text}: {found:?}") };
    match &candidate.found {
        Found::Readings(readings) => readings.clone(),
        Found::Fault { issues, .. } => panic!("{text}: {issues}"),
    }
}

/// The cheapest reading of a text, which has no other.
fn reading(text: &str) -> Parsed {
    let mut all = readings(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

/// What is wrong with a text that can't be read.
fn fault(text: &str) -> (String, bool) {
    let found = candidates(text);
    let [candidate] = found.list.as_slice() else { panic!("{text}: {found:?}") };
    match &candidate.found {
        Found::Fault { issues, is_meant } => (issues.to_string(), *is_meant),
        Found::Readings(readings) => panic!("{text}: {readings:?}"),
    }
}

fn values(text: &str) -> Vec<Value> {
    let found = candidates(text);
    let values = found.list.iter().filter_map(|candidate| match &candidate.found {
        Found::Readings(readings) => Some(readings[0].value.clone()),
        Found::Fault { is_meant, .. } => {
            assert!(!is_meant, "{text}: {candidate:?}");
            None
        }
    });
    values.collect()
}

fn whats(parsed: &Parsed) -> Vec<&str> {
    parsed.repairs.iter().map(|repair| repair.what()).collect()
}
