//! The places of a reply.

use std::{cmp::Reverse, ops::Range};

use cot_schema::{Issue, Issues};

use super::{lookup::find, search::traces};
use crate::{
    parse::trace::trace::{Trace, TracedRepair},
    repair::repairs::Repair,
};

/// The places of values, repairs and issues in the text of a reply, as byte ranges.
///
/// A reading has paths, and no positions; its places are found by parsing the text once more. A reply may have
/// several readings: that one counts whose repairs and paths are those of the given repairs and issues.
///
/// All ranges are within the text, at boundaries of characters. A range is empty where something is missing.
///
/// ```
/// use cot_reader::{Reader, ReplyPlaces};
///
/// let reply = "Sure: {name: 'Ann', \"size\": 3,}";
/// let reading = Reader::any().read(reply).unwrap();
/// let places = ReplyPlaces::find(reply, &reading.repairs, None);
/// assert_eq!(&reply[places.value("$.name").unwrap()], "'Ann'");
/// assert_eq!(&reply[places.key("$.size").unwrap()], "\"size\"");
/// let comma = reading.repairs.iter().position(|repair| repair.description == "a trailing comma");
/// assert_eq!(places.repair(comma.unwrap()), Some(29..30));
/// ```
#[derive(Debug, Default)]
pub struct ReplyPlaces {
    trace: Trace,
    /// The places of the given repairs.
    repairs: Vec<Option<Range<usize>>>,
}

impl ReplyPlaces {
    /// Finds the places of a reply that was read with these repairs and issues.
    #[must_use]
    pub fn find(reply: &str, repairs: &[Repair], issues: Option<&Issues>) -> Self {
        let weighed = traces(reply).into_iter().map(|trace| {
            let weight = weigh(&trace, repairs, issues);
            (trace, weight)
        });
        // Of equal ones the last that is longest.
        let Some((trace, _)) = weighed.max_by_key(|(_, weight)| *weight) else {
            return Self::default();
        };
        let repairs = repair_places(&trace, repairs);
        Self { trace, repairs }
    }

    /// Returns the range of the value at a path, with its quotes or brackets.
    #[must_use]
    pub fn value(&self, path: &str) -> Option<Range<usize>> {
        find(&self.trace.values, path).map(|(_, range)| range)
    }

    /// Returns the range of the key of the member at a path, with its quotes.
    #[must_use]
    pub fn key(&self, path: &str) -> Option<Range<usize>> {
        find(&self.trace.keys, path).map(|(_, range)| range)
    }

    /// Returns the range of a repair by its index in the given list: of the text that was repaired, or of the
    /// value at its path.
    #[must_use]
    pub fn repair(&self, index: usize) -> Option<Range<usize>> {
        self.repairs.get(index).cloned().flatten()
    }

    /// Returns the range of an issue: the value at its path, the key if there is no value, or the position at
    /// which the text is malformed.
    #[must_use]
    pub fn issue(&self, issue: &Issue) -> Option<Range<usize>> {
        if issue.path == "$" && self.trace.is_malformed {
            return Some(self.trace.end..self.trace.end);
        }
        self.value(&issue.path).or_else(|| self.key(&issue.path))
    }
}

/// How well a trace fits repairs and issues: the numbers of its repairs that are among them, of their paths that it
/// has, of its other repairs, and the length.
type Weight = (usize, usize, Reverse<usize>, usize);

fn weigh(trace: &Trace, repairs: &[Repair], issues: Option<&Issues>) -> Weight {
    let traced = |repair: &&Repair| trace.repairs.iter().any(|traced| traced.is(repair));
    let known = repairs.iter().filter(traced).count();
    let issues = issues.into_iter().flat_map(Issues::iter).map(|issue| &issue.path);
    let paths = issues.chain(repairs.iter().map(|repair| &repair.path));
    let found = paths.filter(|path| trace.values.contains_key(*path)).count();
    let length = trace.values.get("$").map_or(0, |whole| whole.len());
    let is_other = |traced: &&TracedRepair| !repairs.iter().any(|repair| traced.is(repair));
    let others = trace.repairs.iter().filter(is_other).count();
    (known, found, Reverse(others), length)
}

impl TracedRepair {
    fn is(&self, repair: &Repair) -> bool {
        self.path == repair.path && self.description == repair.description
    }
}

/// Returns the place of each repair. Repairs that are equal are in the order of the text.
fn repair_places(trace: &Trace, repairs: &[Repair]) -> Vec<Option<Range<usize>>> {
    let mut is_taken = vec![false; trace.repairs.len()];
    let mut place = |repair: &Repair| {
        let traced = trace.repairs.iter().zip(&mut is_taken);
        let mut traced = traced.filter(|(traced, is_taken)| !**is_taken && traced.is(repair));
        let known = traced.next().and_then(|(traced, is_taken)| {
            *is_taken = true;
            traced.place.clone()
        });
        let value = || find(&trace.values, &repair.path).map(|(_, range)| range);
        known.or_else(value).or_else(|| find(&trace.keys, &repair.path).map(|(_, range)| range))
    };
    repairs.iter().map(&mut place).collect()
}
