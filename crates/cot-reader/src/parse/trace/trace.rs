//! The places of what the lenient parser has read.

use std::{collections::HashMap, ops::Range};

use crate::{parse::note::Notes, repair::fix::Fix};

/// The places of what a parser has read, by JSON path.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) values: HashMap<String, Range<usize>>,
    /// The keys of the members, with their quotes.
    pub(crate) keys: HashMap<String, Range<usize>>,
    pub(crate) repairs: Vec<TracedRepair>,
    /// The end of the value, or the position at which it turned out to be malformed.
    pub(crate) end: usize,
    pub(crate) is_malformed: bool,
}

/// A repair of the syntax, with its place.
#[derive(Debug)]
pub(crate) struct TracedRepair {
    pub(crate) path: String,
    pub(crate) description: String,
    /// `None` for a repair of the value at the path.
    pub(crate) place: Option<Range<usize>>,
}

impl Trace {
    /// Applies a function to all positions.
    pub(crate) fn map(mut self, place: impl Fn(usize) -> usize) -> Self {
        let repairs = self.repairs.iter_mut().filter_map(|repair| repair.place.as_mut());
        for range in self.values.values_mut().chain(self.keys.values_mut()).chain(repairs) {
            *range = place(range.start)..place(range.end);
        }
        self.end = place(self.end);
        self
    }

    /// Adds what was read after this.
    pub(crate) fn append(&mut self, later: Self) {
        self.values.extend(later.values);
        self.keys.extend(later.keys);
        self.repairs.extend(later.repairs);
        (self.end, self.is_malformed) = (later.end, later.is_malformed);
    }
}

/// What a parser records for a trace, if it has one.
pub(in crate::parse) trait Tracing {
    /// Records the value from a position to the cursor, at the current path.
    fn trace_value(&mut self, start: usize);

    /// Records the key of the member at the current path.
    fn trace_key(&mut self, key: Range<usize>);

    /// Records the repairs of a string in its place.
    fn trace_repairs(&mut self, notes: Notes, text: Range<usize>);

    /// Records a repair at the cursor, or of the value at the current path.
    fn trace_repair(&mut self, fix: &Fix);
}
