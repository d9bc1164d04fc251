//! Aligns the steps of two runs.

use std::ops::Range;

use cot_store::{RunSummary, StepHistory};
use similar::{Algorithm, capture_diff_slices};

/// A row of a comparison: a step of each run, or of one of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'h> {
    pub(super) a: Option<&'h StepHistory>,
    pub(super) b: Option<&'h StepHistory>,
}

/// Aligns the steps of two runs by their tasks.
pub(super) fn align<'h>(a: &'h [StepHistory], b: &'h [StepHistory]) -> Vec<Row<'h>> {
    let tasks = |steps: &'h [StepHistory]| -> Vec<&'h str> {
        steps.iter().map(|step| step.task.as_str()).collect()
    };
    let mut rows = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, &tasks(a), &tasks(b)) {
        let (in_a, in_b) = (change.old_range(), change.new_range());
        for index in 0..in_a.len().max(in_b.len()) {
            let at = |steps: &'h [StepHistory], range: &Range<usize>| {
                steps.get(range.clone())?.get(index)
            };
            rows.push(Row { a: at(a, &in_a), b: at(b, &in_b) });
        }
    }
    rows
}

/// Returns the number of steps that both runs share, if one is a fork of the other or both are forks of one.
pub(super) fn shared_steps(a: &RunSummary, b: &RunSummary) -> u64 {
    let is_of = |fork: &RunSummary, other: &RunSummary| {
        fork.origin.as_ref().filter(|origin| origin.run == other.run).map(|origin| origin.steps)
    };
    let siblings = || {
        let (one, other) = (a.origin.as_ref()?, b.origin.as_ref()?);
        (one.run == other.run).then(|| one.steps.min(other.steps))
    };
    is_of(b, a).or_else(|| is_of(a, b)).or_else(siblings).unwrap_or(0)
}
