//! Parts of a reply that may be the answer.

use std::ops::Range;

use cot_schema::Issues;
use serde_json::Value;

use crate::{parse::parsed::Parsed, repair::repairs::Repairs};

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
pub(crate) const MAX_CANDIDATES: usize = 16;

/// The one candidate of a reply that is a value as it stands.
pub(super) fn one(span: Range<usize>, value: Value) -> Candidates {
    let found = Found::Readings(vec![Parsed { value, repairs: Repairs::default(), cut: None }]);
    Candidates { list: vec![Candidate { span, origin: Origin::Whole, found }], has_more: false }
}
