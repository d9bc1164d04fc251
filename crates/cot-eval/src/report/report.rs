//! A report.

use std::{collections::BTreeMap, time::SystemTime};

use cot_model::Usage;
use serde::{Deserialize, Serialize};

use super::{
    result::{TaskTotals, TrialResult},
    summary::Summary,
};

/// The results of an eval.
///
/// It is displayed as a table for a terminal; [`to_markdown`](Self::to_markdown) writes one for a pull request. As JSON
/// it is kept, and [compared](crate::Comparison) with later ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The name of the eval.
    pub name: String,
    /// The name of the process.
    pub process: String,
    /// The version of the package that declares the process.
    pub version: Option<String>,
    /// When the last run ended, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SystemTime>,
    /// The names of the variants, in their order.
    pub variants: Vec<String>,
    /// The scorers, with the score that each asks for.
    pub scorers: BTreeMap<String, f64>,
    /// The trials, in the order of variants, cases and repeats.
    pub trials: Vec<TrialResult>,
    /// The number of trials that the budget left out.
    pub left_out: usize,
    /// What the eval has consumed: the calls of its runs and of metered judges that no cache answered.
    pub paid: Usage,
    /// Why the cache lacks replies, if it could not be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_error: Option<String>,
}

impl Report {
    /// Adds the results of another eval, as of another process, so that a project has one report. Cases and tasks keep
    /// their names.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        if self.process != other.process {
            self.process = format!("{}, {}", self.process, other.process);
        }
        let known = self.variants.clone();
        self.variants.extend(other.variants.into_iter().filter(|name| !known.contains(name)));
        self.scorers.extend(other.scorers);
        self.trials.extend(other.trials);
        self.at = self.at.max(other.at);
        self.left_out = self.left_out.saturating_add(other.left_out);
        self.paid += other.paid;
        self.cache_error = self.cache_error.or(other.cache_error);
        self
    }

    /// Returns the trials of a variant.
    pub fn trials_of<'a>(&'a self, variant: &'a str) -> impl Iterator<Item = &'a TrialResult> {
        self.trials.iter().filter(move |trial| trial.variant == variant)
    }

    /// Summarizes the trials of a variant.
    #[must_use]
    pub fn summary(&self, variant: &str) -> Summary {
        Summary::from_trials(self.trials_of(variant))
    }

    /// Summarizes the trials of a variant by the tags of their cases.
    #[must_use]
    pub fn by_tag(&self, variant: &str) -> BTreeMap<&str, Summary> {
        let mut tags: BTreeMap<&str, Vec<&TrialResult>> = BTreeMap::new();
        for trial in &self.trials {
            for tag in &trial.tags {
                let own = tags.entry(tag).or_default();
                own.extend((trial.variant == variant).then_some(trial));
            }
        }
        tags.into_iter().map(|(tag, trials)| (tag, Summary::from_trials(trials))).collect()
    }

    /// Summarizes the trials of a variant by their cases, those with the fewest passes first.
    #[must_use]
    pub fn by_case(&self, variant: &str) -> Vec<(&str, Summary)> {
        let mut cases: BTreeMap<&str, Vec<&TrialResult>> = BTreeMap::new();
        for trial in self.trials.iter().filter(|trial| trial.variant == variant) {
            cases.entry(&trial.case).or_default().push(trial);
        }
        let summaries = cases.into_iter().map(|(case, all)| (case, Summary::from_trials(all)));
        let mut summaries: Vec<_> = summaries.collect();
        summaries.sort_by(|(_, a), (_, b)| a.pass_rate().total_cmp(&b.pass_rate()));
        summaries
    }

    /// Adds up the totals of a variant by task, without trials that have an error.
    #[must_use]
    pub fn by_task(&self, variant: &str) -> BTreeMap<&str, TaskTotals> {
        let mut tasks: BTreeMap<&str, TaskTotals> = BTreeMap::new();
        let is_own = |trial: &&TrialResult| trial.variant == variant && trial.error.is_none();
        for trial in self.trials.iter().filter(is_own) {
            for (task, totals) in &trial.tasks {
                tasks.entry(task).or_default().add(totals);
            }
        }
        tasks
    }
}
