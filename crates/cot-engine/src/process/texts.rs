//! What is known of the texts of a declaration before they are written.

use cot_model::Stability;

/// The facts of a text of the declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextFacts {
    /// The length of its fixed text, in bytes.
    pub fixed: usize,
    /// The length of the fixed text before the first value.
    pub prefix: usize,
    /// The numbers of values that are per run, growing and volatile.
    pub values: [usize; 3],
    /// Hash of its source.
    pub hash: u64,
}

/// The facts of the texts of a process: `None` for a text that the process does not have.
#[derive(Debug, Clone, Copy)]
pub struct ProcessTexts {
    pub system: Option<TextFacts>,
    pub intro: Option<TextFacts>,
    pub primers: &'static [(Primer, TextFacts)],
}

/// A default text that a process can replace in `primers`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primer {
    Goal,
    History,
    Errors,
    AfterErrors,
    Transitions,
    Tasks,
    Transition,
    Output,
    Choice,
    OrChoice,
    GoTo,
    Inputs,
    NoInputs,
    Intent,
    StepAfter,
}

/// The facts of the texts of a task: `None` for a text that the task does not have.
#[derive(Debug, Clone, Copy)]
pub struct TaskTexts {
    pub prompt: Option<TextFacts>,
    pub full_prompt: Option<TextFacts>,
    pub errors_primer: Option<TextFacts>,
    /// The labels of transitions without a guard. Each transition with a guard counts as a volatile value.
    pub labels: Option<TextFacts>,
    /// How stable the turns are.
    pub turns: Option<Stability>,
}

impl Primer {
    /// Returns whether the type of a choice shows the text.
    pub(crate) const fn is_of_choice(self) -> bool {
        matches!(self, Self::GoTo | Self::Inputs | Self::NoInputs | Self::Intent | Self::StepAfter)
    }
}

impl TextFacts {
    /// Creates the facts of a text.
    #[must_use]
    pub const fn new(fixed: usize, prefix: usize, values: [usize; 3], hash: u64) -> Self {
        Self { fixed, prefix, values, hash }
    }

    /// Returns how stable the least stable value is.
    pub const fn stability(&self) -> Stability {
        match self.values {
            [0, 0, 0] => Stability::Fixed,
            [_, 0, 0] => Stability::PerRun,
            [_, _, 0] => Stability::Growing,
            _ => Stability::Volatile,
        }
    }
}

impl ProcessTexts {
    /// No texts.
    pub const NONE: Self = Self { system: None, intro: None, primers: &[] };

    /// Returns the facts of a primer, if the process has it.
    #[must_use]
    pub fn primer(&self, primer: Primer) -> Option<TextFacts> {
        self.primers.iter().find(|(own, _)| *own == primer).map(|(_, facts)| *facts)
    }
}

impl TaskTexts {
    /// No texts.
    pub const NONE: Self =
        Self { prompt: None, full_prompt: None, errors_primer: None, labels: None, turns: None };
}
