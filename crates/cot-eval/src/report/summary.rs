//! The summary of several trials.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use cot_model::Usage;

use super::{
    interval::Interval,
    result::{TaskTotals, TrialResult},
};

/// The summary of several trials.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of trials, without those that have an error.
    pub trials: usize,
    /// The number of different cases in them.
    pub cases: usize,
    /// The number of trials that have an error.
    pub errors: usize,
    /// The number of trials that passed.
    pub passed: usize,
    /// The sum of the values of each scorer, and their number.
    sums: BTreeMap<String, (f64, usize)>,
    /// The totals of all tasks together, without those of sub-processes.
    pub totals: TaskTotals,
    /// The usage of the runs.
    pub usage: Usage,
    /// The time of the runs together.
    pub elapsed: Duration,
}

impl Summary {
    pub(crate) fn from_trials<'a>(trials: impl IntoIterator<Item = &'a TrialResult>) -> Self {
        let mut summary = Self::default();
        let mut cases = BTreeSet::new();
        for trial in trials {
            if trial.error.is_some() {
                summary.errors += 1;
                continue;
            }
            cases.insert(trial.case.as_str());
            summary.trials += 1;
            summary.passed += usize::from(trial.passed);
            summary.usage += trial.usage;
            summary.elapsed = summary.elapsed.saturating_add(trial.elapsed);
            for (name, score) in &trial.scores {
                let (sum, count) = summary.sums.entry(name.clone()).or_default();
                *sum += score.value;
                *count += 1;
            }
            let outer = trial.tasks.iter().filter(|(name, _)| !name.contains('.'));
            outer.for_each(|(_, totals)| summary.totals.add(totals));
        }
        summary.cases = cases.len();
        summary
    }

    /// Returns the share of the trials that passed; 0 of none.
    #[must_use]
    pub fn pass_rate(&self) -> f64 {
        self.passed as f64 / self.trials.max(1) as f64
    }

    /// Returns the 95 % interval of the pass rate. The sample are the cases: repeats of a case say more of this case, and
    /// nothing of others.
    #[must_use]
    pub fn interval(&self) -> Interval {
        Interval::wilson(self.pass_rate(), self.cases)
    }

    /// Returns the mean score of a scorer, of the trials that it scored; 0 of none.
    #[must_use]
    pub fn mean_score(&self, scorer: &str) -> f64 {
        let (sum, count) = self.sums.get(scorer).copied().unwrap_or_default();
        sum / count.max(1) as f64
    }
}
