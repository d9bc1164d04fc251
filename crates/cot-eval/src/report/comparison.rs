//! The comparison of two reports.

use std::{collections::BTreeMap, fmt};

use super::{interval::Interval, report::Report, result::TrialResult, table::write_rows};

/// What got better or worse from one report to another.
///
/// Cases are compared with themselves: of each case that both reports have, the mean of its repeats. The interval of the
/// mean difference is a bootstrap over these cases, so that a change counts only beyond chance.
///
/// ```
/// # fn compared(old: &cot_core::eval::Report, new: &cot_core::eval::Report) {
/// use cot_core::eval::Comparison;
///
/// let comparison = Comparison::between(old, new);
/// assert!(!comparison.is_worse_by(0.05), "{comparison}");
/// # }
/// # let _ = compared;
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The changes: of each variant that both reports have its pass rate, and the mean of each scorer.
    pub changes: Vec<Change>,
    /// The variants and cases that only one of the reports has.
    pub only_in_one: Vec<String>,
}

/// The change of a figure from one report to another.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The name of the variant.
    pub variant: String,
    /// The scorer; `None` for the pass rate.
    pub scorer: Option<String>,
    /// The number of cases that were compared.
    pub cases: usize,
    /// The mean in the old report.
    pub old: f64,
    /// The mean in the new report.
    pub new: f64,
    /// The 95 % interval of the difference.
    pub interval: Interval,
}

impl Change {
    /// Returns whether the new report is better beyond chance.
    #[must_use]
    pub fn is_better(&self) -> bool {
        self.interval.low > 0.0
    }

    /// Returns whether the new report is worse beyond chance.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        self.interval.high < 0.0
    }
}

/// A figure of a trial.
type Figure<'a> = dyn Fn(&TrialResult) -> f64 + 'a;

impl Comparison {
    /// Compares two reports of the same cases.
    #[must_use]
    pub fn between(old: &Report, new: &Report) -> Self {
        let mut comparison = Self { changes: Vec::new(), only_in_one: Vec::new() };
        let scorers = old.scorers.keys().filter(|name| new.scorers.contains_key(*name));
        let scorers: Vec<&String> = scorers.collect();
        for variant in old.variants() {
            if !new.variants().contains(&variant) {
                comparison.only_in_one.push(format!("variant {variant}, in the old report"));
                continue;
            }
            let passed = |trial: &TrialResult| f64::from(u8::from(trial.passed));
            comparison.add(variant, None, (old, new), &passed);
            for scorer in &scorers {
                let value = |trial: &TrialResult| {
                    trial.scores.get(*scorer).map_or(0.0, |score| score.value)
                };
                comparison.add(variant, Some(scorer), (old, new), &value);
            }
        }
        let is_new = |variant: &&str| !old.variants().contains(variant);
        let new_ones = new.variants().into_iter().filter(is_new);
        comparison
            .only_in_one
            .extend(new_ones.map(|variant| format!("variant {variant}, in the new report")));
        comparison
    }

    /// Returns whether a figure is worse beyond chance, and by more than this.
    #[must_use]
    pub fn is_worse_by(&self, threshold: f64) -> bool {
        self.changes.iter().any(|change| change.is_worse() && change.old - change.new > threshold)
    }

    fn add(
        &mut self,
        variant: &str,
        scorer: Option<&String>,
        (old, new): (&Report, &Report),
        figure: &Figure<'_>,
    ) {
        let (old, new) = (means(old, variant, figure), means(new, variant, figure));
        if scorer.is_none() {
            let missing = old.keys().filter(|case| !new.contains_key(*case));
            let missing =
                missing.map(|case| format!("case {case} of {variant}, in the old report"));
            let added = new.keys().filter(|case| !old.contains_key(*case));
            let added = added.map(|case| format!("case {case} of {variant}, in the new report"));
            self.only_in_one.extend(missing.chain(added));
        }
        let both: Vec<(f64, f64)> =
            old.iter().filter_map(|(case, old)| Some((*old, *new.get(case)?))).collect();
        let differences: Vec<f64> = both.iter().map(|(old, new)| new - old).collect();
        let count = both.len().max(1) as f64;
        self.changes.push(Change {
            variant: variant.to_owned(),
            scorer: scorer.cloned(),
            cases: both.len(),
            old: both.iter().map(|(old, _)| old).sum::<f64>() / count,
            new: both.iter().map(|(_, new)| new).sum::<f64>() / count,
            interval: Interval::from_differences(&differences),
        });
    }
}

/// Returns the mean of a figure by case.
fn means<'a>(report: &'a Report, variant: &str, figure: &Figure<'_>) -> BTreeMap<&'a str, f64> {
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for trial in report.trials.iter().filter(|trial| trial.variant == variant) {
        let (sum, count) = sums.entry(&trial.case).or_default();
        *sum += figure(trial);
        *count += 1.0;
    }
    sums.into_iter().map(|(case, (sum, count))| (case, sum / count)).collect()
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["", "old", "new", "95 % of the change", "", "cases"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for change in &self.changes {
            let Change { variant, scorer, cases, old, new, interval } = change;
            let verdict = match (change.is_better(), change.is_worse()) {
                (true, _) => "better",
                (_, true) => "worse",
                _ => "no change beyond chance",
            };
            rows.push(vec![
                format!("{variant}, {}", scorer.as_deref().unwrap_or("passed")),
                format!("{old:.2}"),
                format!("{new:.2}"),
                format!("{:+.2} to {:+.2}", interval.low, interval.high),
                verdict.to_owned(),
                cases.to_string(),
            ]);
        }
        write_rows(f, &rows)?;
        self.only_in_one.iter().try_for_each(|one| writeln!(f, "Only in one: {one}."))
    }
}
