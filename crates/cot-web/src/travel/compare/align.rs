//! Aligns the steps of two runs.

use cot_store::{RunHistory, StepHistory};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A row of a comparison: a step of each run, or of one of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'h> {
    pub(super) a: Option<&'h StepHistory>,
    pub(super) b: Option<&'h StepHistory>,
}

/// The steps of two runs, aligned by their tasks.
pub(super) struct Alignment<'h> {
    /// The number of steps that a fork shares with its original run, and that are left out.
    pub(super) shared: u64,
    pub(super) rows: Vec<Row<'h>>,
}

/// Aligns the steps of two runs by their tasks. Steps that one run shares with the other as its fork are left out.
pub(super) fn align<'h>(a: &'h RunHistory, b: &'h RunHistory) -> Alignment<'h> {
    let shared = shared_steps(a, b);
    let own = |history: &'h RunHistory| -> Vec<&'h StepHistory> {
        history.steps.iter().filter(|step| step.step > shared).collect()
    };
    let (steps_a, steps_b) = (own(a), own(b));
    let tasks = |steps: &[&'h StepHistory]| -> Vec<&'h str> {
        steps.iter().map(|step| step.task.as_str()).collect()
    };
    let mut rows = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, &tasks(&steps_a), &tasks(&steps_b)) {
        let (_, in_a, in_b) = match change {
            DiffOp::Replace { .. } => change.as_tag_tuple(),
            other => other.as_tag_tuple(),
        };
        for index in 0..in_a.len().max(in_b.len()) {
            let at = |steps: &[&'h StepHistory], range: &std::ops::Range<usize>| {
                steps.get(range.clone())?.get(index).copied()
            };
            rows.push(Row { a: at(&steps_a, &in_a), b: at(&steps_b, &in_b) });
        }
    }
    Alignment { shared, rows }
}

/// Returns the number of steps that both runs share, if one is a fork of the other or both are forks of one.
fn shared_steps(a: &RunHistory, b: &RunHistory) -> u64 {
    let origin = |history: &RunHistory| history.summary.origin.clone();
    let is_of = |fork: &RunHistory, other: &RunHistory| {
        origin(fork).filter(|origin| origin.run == other.summary.run).map(|origin| origin.steps)
    };
    let siblings = || {
        let (one, other) = (origin(a)?, origin(b)?);
        (one.run == other.run).then(|| one.steps.min(other.steps))
    };
    is_of(b, a).or_else(|| is_of(a, b)).or_else(siblings).unwrap_or(0)
}
