//! Days of a chart, put together if there are many.

use std::collections::BTreeMap;

use cot_store::{Day, Spending};

use super::query::{Measure, Split};

/// The bars of a chart.
#[derive(Debug)]
pub(super) struct Bars {
    /// The names of the parts, the largest first; the last one can be that of all others.
    pub(super) series: Vec<String>,
    pub(super) bars: Vec<Bar>,
    /// The number of days of each bar.
    pub(super) days: u32,
}

/// A bar: some days, with a value for each part.
#[derive(Debug)]
pub(super) struct Bar {
    pub(super) first: Day,
    pub(super) last: Day,
    pub(super) values: Vec<f64>,
}

/// The number of bars at most.
const MAX_BARS: u32 = 62;
/// The number of parts, that of all others included. There is a colour for each.
const MAX_SERIES: usize = 8;
const OTHERS: &str = "all others";

impl Bar {
    pub(super) fn total(&self) -> f64 {
        self.values.iter().sum()
    }

    /// Returns the days in words.
    pub(super) fn label(&self) -> String {
        if self.first == self.last {
            return self.first.to_string();
        }
        format!("{} to {}", self.first, self.last)
    }
}

impl Bars {
    /// Sums rows by day and by part, from the first day to the last.
    pub(super) fn new(
        rows: &[Spending],
        (split, measure): (Split, Measure),
        (first, last): (Day, Day),
    ) -> Self {
        let series = series(rows, split, measure);
        let count = last.number().saturating_sub(first.number()) + 1;
        let days = match count.div_ceil(MAX_BARS) {
            1 => 1,
            2..=7 => 7,
            more => more.next_multiple_of(7),
        };
        let mut bars: Vec<Bar> = (0..count.div_ceil(days))
            .map(|bar| {
                let start = first.number() + bar * days;
                let end = (start + days - 1).min(last.number());
                let (first, last) = (Day::from_number(start), Day::from_number(end));
                Bar { first, last, values: vec![0.0; series.len()] }
            })
            .collect();
        for row in rows.iter().filter(|row| row.day >= first) {
            let index = (row.day.number() - first.number()) / days;
            let name = split.part_name(row);
            let part = series.iter().position(|series| *series == name);
            let part = part.unwrap_or(series.len().saturating_sub(1));
            let bar = usize::try_from(index).ok().and_then(|index| bars.get_mut(index));
            if let Some(value) = bar.and_then(|bar| bar.values.get_mut(part)) {
                *value += measure.amount(row);
            }
        }
        Self { series, bars, days }
    }
}

/// Returns the names of the largest parts.
fn series(rows: &[Spending], split: Split, measure: Measure) -> Vec<String> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for row in rows {
        *sums.entry(split.part_name(row)).or_default() += measure.amount(row);
    }
    let mut sums: Vec<_> = sums.into_iter().filter(|(_, sum)| *sum > 0.0).collect();
    sums.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let is_many = sums.len() > MAX_SERIES;
    let shown = if is_many { MAX_SERIES - 1 } else { MAX_SERIES };
    let mut names: Vec<_> = sums.into_iter().take(shown).map(|(name, _)| name).collect();
    if is_many {
        names.push(OTHERS.to_owned());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(day: u32, process: &str, cost: f64) -> Spending {
        let mut row = Spending::new(Day::from_number(day), process, "t", None);
        row.usage.cost = cost;
        row
    }

    #[test]
    fn days_and_parts_are_bounded() {
        let rows: Vec<_> =
            (0..20).map(|n| row(n * 20, &format!("p{n:02}"), f64::from(n))).collect();
        let range = (Day::from_number(0), Day::from_number(399));
        let bars = Bars::new(&rows, (Split::Process, Measure::Cost), range);
        assert_eq!((bars.days, bars.bars.len(), bars.series.len()), (7, 58, 8));
        assert_eq!((bars.series[0].as_str(), bars.series[7].as_str()), ("p19", OTHERS));
        let sum: f64 = bars.bars.iter().map(Bar::total).sum();
        assert!((sum - 190.0).abs() < 1e-9);
        assert_eq!(bars.bars[57].label(), "1971-02-04");
        assert_eq!(bars.bars[1].label(), "1970-01-08 to 1970-01-14");
    }
}
