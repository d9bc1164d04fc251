//! What a branch has of its own, apart from its position.

use std::{mem, time::Duration};

use crate::{
    process::child::Totals,
    run::{callers::Callers, context::RunFacts},
    values::{branch_history::BranchHistory, inputs::Inputs},
};

/// What a branch has of its own, apart from its position. While the branch moves, it is in the facts of the run.
#[derive(Debug, Default)]
pub(crate) struct BranchFacts {
    pub(crate) callers: Callers,
    pub(crate) current_inputs: Option<Inputs>,
    /// The elapsed time of the run as the branch sees it.
    pub(crate) elapsed: Duration,
    /// Always false in a branch: a run of one task alone runs all tasks of its branches.
    pub(crate) is_alone: bool,
    /// The limit of the elapsed time.
    pub(crate) time_limit: Option<Duration>,
    /// The consumption of the other branches beyond the facts of the run.
    pub(crate) beside: Option<Box<Totals>>,
    pub(crate) history: Option<BranchHistory>,
}

impl BranchFacts {
    /// Exchanges what the facts of the run and the branch have of their own.
    pub(crate) fn swap(&mut self, facts: &mut RunFacts) {
        mem::swap(&mut self.callers, &mut facts.callers);
        mem::swap(&mut self.current_inputs, &mut facts.current_inputs);
        mem::swap(&mut self.elapsed, &mut facts.elapsed);
        mem::swap(&mut self.is_alone, &mut facts.is_alone);
        mem::swap(&mut self.time_limit, &mut facts.limits.time);
        mem::swap(&mut self.beside, &mut facts.beside);
        mem::swap(&mut self.history, &mut facts.branch_history);
    }

    /// Adds what the branch has added to its history to that of the branch around it.
    pub(crate) fn share_entries(&mut self, facts: &mut RunFacts) {
        let max = facts.max_items().flatten();
        if let Some(own) = &mut self.history {
            own.share_with(facts.branch_history.as_mut(), max);
        }
    }
}
