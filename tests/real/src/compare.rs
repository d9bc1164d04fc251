//! Two runs, case by case.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use crate::{result::CaseResult, table::table};

/// Samples of the bootstrap.
const SAMPLES: usize = 10_000;

/// Writes the table of two runs, and for each model and pair of settings the difference of what is exactly right, with
/// its paired bootstrap interval of 95 %.
pub(crate) fn compare(first: (&str, &[CaseResult]), second: (&str, &[CaseResult])) -> String {
    let mut text = table(&[first, second], false);
    for (before, after) in settings(first.1, second.1) {
        let title =
            if before == after { before.into() } else { format!("{after} beside {before}") };
        let (unpaired, differences) = paired(&of(first.1, before), &of(second.1, after));
        for (model, by_case) in differences {
            let cases: Vec<f64> = by_case.into_values().map(|of_case| mean(&of_case)).collect();
            let (low, high) = interval(&cases);
            let _ = write!(
                text,
                "\n{model}, {title}: exactly right {:+.1} points over {} cases, from {low:+.1} to {high:+.1} with 95 %.\n",
                100.0 * mean(&cases),
                cases.len(),
            );
        }
        if !unpaired.is_empty() {
            let _ = write!(text, "\nIn one run alone: {}.\n", Vec::from_iter(unpaired).join(", "));
        }
    }
    text
}

/// The settings that are compared: those of both runs, or, if they have none in common, each one of the first run with
/// each one of the second.
fn settings<'a>(first: &'a [CaseResult], second: &'a [CaseResult]) -> Vec<(&'a str, &'a str)> {
    let names = |results: &'a [CaseResult]| -> BTreeSet<&'a str> {
        results.iter().map(|result| &*result.setting).collect()
    };
    let (first, second) = (names(first), names(second));
    if first.is_disjoint(&second) {
        return first.iter().flat_map(|one| second.iter().map(|other| (*one, *other))).collect();
    }
    first.intersection(&second).map(|both| (*both, *both)).collect()
}

fn of<'a>(results: &'a [CaseResult], setting: &str) -> Vec<&'a CaseResult> {
    results.iter().filter(|result| result.setting == setting).collect()
}

/// The differences of a case with several seeds are kept together, as they are no independent samples.
type Differences<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Vec<f64>>>;

fn paired<'a>(
    first: &[&'a CaseResult],
    second: &[&'a CaseResult],
) -> (BTreeSet<&'a str>, Differences<'a>) {
    let key = |result: &'a CaseResult| (&*result.id, &*result.model, result.seed);
    let mut seconds: BTreeMap<_, _> = second.iter().map(|result| (key(result), *result)).collect();
    let (mut unpaired, mut differences) = (BTreeSet::new(), Differences::new());
    for result in first {
        let Some(other) = seconds.remove(&key(result)) else {
            unpaired.insert(&*result.id);
            continue;
        };
        let difference = f64::from(u8::from(other.right)) - f64::from(u8::from(result.right));
        let of_model = differences.entry(&*result.model).or_default();
        of_model.entry(&*result.id).or_default().push(difference);
    }
    unpaired.extend(seconds.into_keys().map(|(id, ..)| id));
    (unpaired, differences)
}

/// The interval of 95 % for the mean in hundredths, from samples with replacement. The same values give the same
/// interval.
fn interval(values: &[f64]) -> (f64, f64) {
    let mut random = fastrand::Rng::with_seed(0);
    let mut means: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let sample: Vec<f64> =
                values.iter().filter_map(|_| random.choice(values).copied()).collect();
            100.0 * mean(&sample)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let quantile = |at: usize| means.get(at).copied().unwrap_or_default();
    (quantile(SAMPLES / 40), quantile(SAMPLES - SAMPLES / 40 - 1))
}

#[expect(clippy::cast_precision_loss, reason = "there are few values")]
fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}
