//! The comparison of two reports.

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
};

use super::{
    chance::{chance, correct_for_number},
    interval::Interval,
    report::Report,
    result::TrialResult,
    table::write_rows,
};

/// What got better or worse from one report to another.
///
/// Each case is compared with the case of the same name: by the mean of its repeats, without trials that have an error. A
/// change counts if it is beyond [chance](Change::chance). With fewer than six cases that changed, nothing is.
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
    /// What the old report has and the new one lacks: variants, scorers, cases with a trial without an error.
    pub missing: Vec<String>,
    /// What the new report has and the old one lacks.
    pub added: Vec<String>,
}

/// The change of a figure from one report to another.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The name of the variant.
    pub variant: String,
    /// The scorer; `None` for the pass rate.
    pub scorer: Option<String>,
    /// Whether the figure is only reported, as that of a [metric](crate::Eval::metric).
    pub is_metric: bool,
    /// The number of cases that were compared.
    pub cases: usize,
    /// The mean in the old report.
    pub old: f64,
    /// The mean in the new report.
    pub new: f64,
    /// The 95 % interval of the difference, by a bootstrap over the cases. Of few cases, it is too narrow.
    pub interval: Interval,
    /// The probability of a difference as large if nothing had changed, by a permutation test over the cases, corrected
    /// for the number of figures that are no metrics.
    pub chance: f64,
}

/// The probability below which a change counts.
const MAX_CHANCE: f64 = 0.05;

impl Change {
    /// Returns whether the new report is better beyond chance.
    #[must_use]
    pub fn is_better(&self) -> bool {
        self.chance < MAX_CHANCE && self.new > self.old
    }

    /// Returns whether the new report is worse beyond chance.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        self.chance < MAX_CHANCE && self.new < self.old
    }
}

/// A figure of a trial, if it has it.
type Figure<'a> = dyn Fn(&TrialResult) -> Option<f64> + 'a;

impl Comparison {
    /// Compares two reports of the same eval: each variant with the one of the same name. If no name is in both, and the
    /// process is the same, each variant of the old report is compared with each one of the new report.
    #[must_use]
    pub fn between(old: &Report, new: &Report) -> Self {
        let mut comparison = Self { changes: Vec::new(), missing: Vec::new(), added: Vec::new() };
        comparison.compare_names("eval", [&old.name], [&new.name]);
        comparison.compare_names("process", [&old.process], [&new.process]);
        comparison.compare_names("scorer", old.scorers.keys(), new.scorers.keys());
        comparison.compare_names("variant", &old.variants, &new.variants);
        for (before, after) in pairs(old, new) {
            comparison.compare_variants((old, before), (new, after));
        }
        let counted = comparison.changes.iter_mut().filter(|change| !change.is_metric);
        let mut chances: Vec<&mut f64> = counted.map(|change| &mut change.chance).collect();
        correct_for_number(&mut chances);
        comparison
    }

    /// Returns whether a figure that is no metric is worse beyond chance and by more than this, or something is
    /// [missing](Self::missing).
    #[must_use]
    pub fn is_worse_by(&self, threshold: f64) -> bool {
        let is_worse = |change: &Change| {
            !change.is_metric && change.is_worse() && change.old - change.new > threshold
        };
        !self.missing.is_empty() || self.changes.iter().any(is_worse)
    }

    /// Compares a variant of the old report with one of the new report.
    fn compare_variants(&mut self, old: (&Report, &str), new: (&Report, &str)) {
        let title =
            if old.1 == new.1 { old.1.to_owned() } else { format!("{} -> {}", old.1, new.1) };
        let passed = |trial: &TrialResult| Some(f64::from(u8::from(trial.passed)));
        let (before, after) = (means(old, &passed), means(new, &passed));
        self.compare_names(&format!("case of variant {title}:"), before.keys(), after.keys());
        self.changes.push(Change::new(&title, None, false, (&before, &after)));
        for scorer in old.0.scorers.keys() {
            let Some(least) = new.0.scorers.get(scorer) else { continue };
            let value = |trial: &TrialResult| Some(trial.scores.get(scorer)?.value);
            let figures = (&means(old, &value), &means(new, &value));
            // The case is there, and lost a score.
            let is_lost =
                |case: &&&str| after.contains_key(**case) && !figures.1.contains_key(**case);
            let lost = figures.0.keys().filter(is_lost);
            self.missing.extend(lost.map(|case| format!("{scorer} of variant {title}: {case}")));
            self.changes.push(Change::new(&title, Some(scorer), *least <= 0.0, figures));
        }
    }

    /// Compares the names of things of one kind.
    fn compare_names<S: AsRef<str>>(
        &mut self,
        kind: &str,
        old: impl IntoIterator<Item = S>,
        new: impl IntoIterator<Item = S>,
    ) {
        let [old, new] = [old.into_iter().collect(), new.into_iter().collect::<Vec<S>>()];
        let others = |these: &[S], those: &[S]| -> Vec<String> {
            let those: HashSet<&str> = those.iter().map(AsRef::as_ref).collect();
            let is_other = |one: &&S| !those.contains(one.as_ref());
            let others = these.iter().filter(is_other);
            others.map(|one| format!("{kind} {}", one.as_ref())).collect()
        };
        self.missing.extend(others(&old, &new));
        self.added.extend(others(&new, &old));
    }
}

/// The means of a figure, by case.
type Means<'a> = BTreeMap<&'a str, f64>;

impl Change {
    fn new(
        variant: &str,
        scorer: Option<&String>,
        is_metric: bool,
        (old, new): (&Means<'_>, &Means<'_>),
    ) -> Self {
        let both: Vec<(f64, f64)> =
            old.iter().filter_map(|(case, old)| Some((*old, *new.get(case)?))).collect();
        let differences: Vec<f64> = both.iter().map(|(old, new)| new - old).collect();
        let count = both.len().max(1) as f64;
        Self {
            variant: variant.to_owned(),
            scorer: scorer.cloned(),
            is_metric,
            cases: both.len(),
            old: both.iter().map(|(old, _)| old).sum::<f64>() / count,
            new: both.iter().map(|(_, new)| new).sum::<f64>() / count,
            interval: Interval::from_differences(&differences),
            chance: chance(&differences),
        }
    }
}

/// Returns the variants that are compared.
fn pairs<'a>(old: &'a Report, new: &'a Report) -> Vec<(&'a str, &'a str)> {
    let pairs = old
        .variants
        .iter()
        .flat_map(|one| new.variants.iter().map(move |other| (&**one, &**other)));
    let (same, others): (Vec<_>, Vec<_>) = pairs.partition(|(one, other)| one == other);
    if same.is_empty() && old.process == new.process { others } else { same }
}

/// Returns the mean of a figure of a variant by case, without trials that have an error.
fn means<'a>((report, variant): (&'a Report, &str), figure: &Figure<'_>) -> Means<'a> {
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    let trials = report.trials.iter().filter(|trial| trial.variant == variant);
    for trial in trials.filter(|trial| trial.error.is_none()) {
        let Some(value) = figure(trial) else { continue };
        let (sum, count) = sums.entry(&trial.case).or_default();
        *sum += value;
        *count += 1.0;
    }
    sums.into_iter().map(|(case, (sum, count))| (case, sum / count)).collect()
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["", "old", "new", "95 % of the change", "by chance", "", "cases"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for change in &self.changes {
            let Change { variant, scorer, cases, old, new, interval, chance, .. } = change;
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
                format!("{chance:.3}"),
                verdict.to_owned(),
                cases.to_string(),
            ]);
        }
        write_rows(f, &rows)?;
        self.missing.iter().try_for_each(|one| writeln!(f, "Missing in the new report: {one}."))?;
        self.added.iter().try_for_each(|one| writeln!(f, "New: {one}."))
    }
}
