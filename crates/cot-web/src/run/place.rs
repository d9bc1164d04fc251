//! Where a step is shown.

use cot_store::{AttemptHistory, RunId, RunSummary, StepHistory};

use super::text::Whole;
use crate::visit::Visit;

/// Where a step is shown.
pub(super) struct Place<'a> {
    pub(super) visit: &'a Visit,
    pub(super) run: &'a RunId,
    /// The id of the element of the step.
    pub(super) id: String,
    /// Whether the run stands at the step.
    pub(super) is_here: bool,
    /// The number of sub-processes around the step.
    pub(super) depth: usize,
}

impl<'a> Place<'a> {
    pub(super) fn new(visit: &'a Visit, run: &'a RunSummary, id: &str, is_here: bool) -> Self {
        Self { visit, run: &run.run, id: id.to_owned(), is_here, depth: 0 }
    }

    /// Returns the place of a step of a sub-process of the step.
    pub(super) fn nested(&self, step: &StepHistory, index: usize) -> Self {
        let Self { visit, run, .. } = *self;
        let id = format!("{}-{}-{index}", self.id, step.step);
        Self { visit, run, id, is_here: false, depth: self.depth + 1 }
    }

    /// Returns where the whole texts of an entry are.
    pub(super) fn whole(&self, attempt: &AttemptHistory, part: &str) -> Whole {
        let links = self.visit.links();
        let address = attempt.entry.map(|entry| links.entry(self.run, entry, part));
        Whole { address }
    }
}
