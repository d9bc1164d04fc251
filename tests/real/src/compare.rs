//! Two runs, case by case.

use std::{collections::BTreeMap, fmt::Write};

use crate::{
    result::{CaseResult, name},
    server::Setting,
    table::table,
};

/// Samples of the bootstrap.
const SAMPLES: usize = 10_000;

/// Writes the table of two runs, and for each model and setting the difference of what is exactly right, with its
/// paired bootstrap interval of 95 %.
pub(crate) fn compare(first: (&str, &[CaseResult]), second: (&str, &[CaseResult])) -> String {
    let mut text = table(&[first, second], false);
    let (mut unpaired, differences) = paired(first.1, second.1);
    for ((model, setting), by_case) in differences {
        let cases: Vec<f64> = by_case.into_values().map(|of_case| mean(&of_case)).collect();
        let (low, high) = interval(&cases);
        let _ = write!(
            text,
            "\n{model}, {}: exactly right {:+.1} points over {} cases, from {low:+.1} to {high:+.1} with 95 %.\n",
            name(setting),
            100.0 * mean(&cases),
            cases.len(),
        );
    }
    unpaired.dedup();
    if !unpaired.is_empty() {
        let _ = write!(text, "\nIn one run alone: {}.\n", unpaired.join(", "));
    }
    text
}

/// The differences of a case with several seeds are kept together, as they are no independent samples.
type Differences<'a> = BTreeMap<(&'a str, Setting), BTreeMap<&'a str, Vec<f64>>>;

fn paired<'a>(
    first: &'a [CaseResult],
    second: &'a [CaseResult],
) -> (Vec<&'a str>, Differences<'a>) {
    let mut seconds: BTreeMap<_, _> = second.iter().map(|result| (result.key(), result)).collect();
    let (mut unpaired, mut differences) = (Vec::new(), Differences::new());
    for result in first {
        let Some(other) = seconds.remove(&result.key()) else {
            unpaired.push(&*result.id);
            continue;
        };
        let difference = f64::from(u8::from(other.right)) - f64::from(u8::from(result.right));
        let of_setting = differences.entry((&*result.model, result.setting)).or_default();
        of_setting.entry(&*result.id).or_default().push(difference);
    }
    unpaired.extend(seconds.into_keys().map(|(id, ..)| id));
    unpaired.sort_unstable();
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
