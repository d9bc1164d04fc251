//! How far a judge agrees with people.

use std::{collections::BTreeMap, fmt};

use super::{report::Report, table::percent};
use crate::score::Judgement;

/// The pairs of a label and a verdict that are displayed.
const MAX_PAIRS: usize = 20;

/// How far the verdicts of a judge agree with the labels that people gave.
///
/// ```
/// use cot_core::eval::Agreement;
///
/// let pairs = [("good", "good"), ("good", "bad"), ("bad", "bad"), ("bad", "bad")];
/// let agreement = Agreement::new(pairs);
/// assert_eq!((agreement.agreed, agreement.pairs), (3, 4));
/// assert_eq!(agreement.kappa(), Some(0.5));
/// assert_eq!(agreement.to_string(), "3 of 4 (75 %), kappa 0.50; people say bad, the judge good: 1");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agreement {
    /// The number of verdicts with a label.
    pub pairs: usize,
    /// The number of these that are the same.
    pub agreed: usize,
    /// How often each label of people had each verdict.
    pub counts: BTreeMap<(String, String), usize>,
}

impl Agreement {
    /// Counts pairs of a verdict and a label.
    pub fn new<S: Into<String>>(pairs: impl IntoIterator<Item = (S, S)>) -> Self {
        let mut agreement = Self::default();
        for (verdict, label) in pairs {
            let (verdict, label) = (verdict.into(), label.into());
            agreement.pairs += 1;
            agreement.agreed += usize::from(verdict == label);
            *agreement.counts.entry((label, verdict)).or_default() += 1;
        }
        agreement
    }

    /// Returns the share of the pairs that agree; 0 of none.
    #[must_use]
    pub fn raw(&self) -> f64 {
        self.agreed as f64 / self.pairs.max(1) as f64
    }

    /// Returns Cohen's kappa: the agreement beyond what chance gives, of 1 for all, 0 for none (Cohen 1960, *A Coefficient of
    /// Agreement for Nominal Scales*). It is undefined if there are no pairs, and if all verdicts and labels are the same one.
    #[must_use]
    pub fn kappa(&self) -> Option<f64> {
        let mut sides: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for ((label, verdict), count) in &self.counts {
            sides.entry(label).or_default().0 += count;
            sides.entry(verdict).or_default().1 += count;
        }
        let all = self.pairs as f64;
        let by_chance: f64 = sides
            .values()
            .map(|(labels, verdicts)| *labels as f64 / all * (*verdicts as f64 / all))
            .sum();
        // More than one word was used, so that chance does not give all.
        (sides.len() > 1).then(|| (self.raw() - by_chance) / (1.0 - by_chance))
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} ({})", self.agreed, self.pairs, percent(self.raw()))?;
        match self.kappa() {
            Some(kappa) => write!(f, ", kappa {kappa:.2}")?,
            None if self.pairs == 0 => write!(f, ", kappa undefined: there is no label")?,
            None => write!(f, ", kappa undefined: all verdicts and labels are the same")?,
        }
        let differ = self.counts.iter().filter(|((label, verdict), _)| label != verdict);
        for ((label, verdict), count) in differ.clone().take(MAX_PAIRS) {
            write!(f, "; people say {label}, the judge {verdict}: {count}")?;
        }
        match differ.count().saturating_sub(MAX_PAIRS) {
            0 => Ok(()),
            more => write!(f, "; and {more} more pairs"),
        }
    }
}

impl Report {
    /// Returns how far each scorer of a variant agrees with people, of those scorers that
    /// [have labels](crate::score::Score::labelled).
    #[must_use]
    pub fn agreement(&self, variant: &str) -> BTreeMap<&str, Agreement> {
        let mut pairs: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        let trials = self.trials.iter().filter(|trial| trial.variant == variant);
        for (scorer, score) in trials.flat_map(|trial| &trial.scores) {
            if let Some(Judgement { verdict, label }) = &score.judgement {
                pairs.entry(scorer).or_default().push((verdict, label));
            }
        }
        pairs.into_iter().map(|(scorer, pairs)| (scorer, Agreement::new(pairs))).collect()
    }
}
