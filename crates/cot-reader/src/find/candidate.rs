//! The candidates for the answer in a reply.

use std::ops::Range;

use cot_schema::Issues;
use serde_json::Value;

use crate::{parse::parsed::ParsedValue, repair::repairs::Repairs};

/// A part of a reply that may be the answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) span: Range<usize>,
    pub(crate) origin: Origin,
    pub(crate) content: CandidateContent,
}

/// The surroundings of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The candidate is the whole reply.
    Whole,
    /// The candidate is in a fenced code block.
    Fence,
    /// The candidate is in prose.
    Prose,
}

/// The content of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CandidateContent {
    /// One or more possible readings, cheapest first, with distinct values.
    Readings(Vec<ParsedValue>),
    /// The text is malformed.
    Fault {
        issues: Issues,
        /// Whether the text was meant as JSON and is not just a bracket in prose.
        is_meant: bool,
    },
}

/// All candidates of a reply.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Candidates {
    /// The candidates, in the order of the text.
    pub(crate) list: Vec<Candidate>,
    /// Whether there are more candidates than the maximum.
    pub(crate) has_more: bool,
}

/// Maximum number of candidates.
pub(crate) const MAX_CANDIDATES: usize = 16;

/// Creates the only candidate of a reply that is valid JSON.
pub(super) fn single(span: Range<usize>, value: Value) -> Candidates {
    let content = CandidateContent::Readings(vec![ParsedValue {
        value,
        repairs: Repairs::default(),
        cut: None,
    }]);
    Candidates { list: vec![Candidate { span, origin: Origin::Whole, content }], has_more: false }
}
