//! What a run of a process costs at most, as constants of the process and its sub-processes.

use cot_bounds::WorstCase;

/// The bounds of a process down to a depth of sub-processes.
pub trait Bounded {
    /// The most that a run costs.
    const RUN: WorstCase;
    /// The most that a step costs, those of sub-processes included.
    const STEP: WorstCase;
}

/// Sub-processes that are too deep to be followed, or run each other.
impl Bounded for () {
    const RUN: WorstCase = WorstCase::UNBOUNDED;
    const STEP: WorstCase = WorstCase::UNBOUNDED;
}

/// The bounds of a process in its tables.
#[derive(Debug, Clone, Copy)]
pub struct BoundsDefinition {
    /// The most that a run costs.
    pub run: WorstCase,
    /// The limit of steps of a process that could run without end and sets no limit. It counts from zero after each answer
    /// of a person.
    pub default_steps: Option<u64>,
    /// What a run is proven not to exceed, if the process says so.
    pub at_most: Option<AtMost>,
    /// Why bounds are missing, apart from those of sub-processes.
    pub causes: &'static [&'static str],
}

/// What a run is proven not to exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtMost {
    /// Model calls.
    pub calls: Option<u64>,
    /// Tokens of replies.
    pub output_tokens: Option<u64>,
    /// Questions to people.
    pub questions: Option<u64>,
}

impl BoundsDefinition {
    /// No bounds.
    pub const NONE: Self =
        Self { run: WorstCase::UNBOUNDED, default_steps: None, at_most: None, causes: &[] };
}
