//! Sums of spendings.

use std::collections::BTreeMap;

use cot_store::Spending;

/// Sums the rows that have the same key, the largest first.
pub(super) fn by_key(
    rows: &[Spending],
    key: impl Fn(&Spending) -> String,
    size: impl Fn(&Spending) -> f64,
) -> Vec<(String, Spending)> {
    let mut sums: BTreeMap<String, Spending> = BTreeMap::new();
    for row in rows {
        match sums.get_mut(&key(row)) {
            Some(sum) => sum.add(row),
            None => drop(sums.insert(key(row), row.clone())),
        }
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by(|(_, a), (_, b)| size(b).total_cmp(&size(a)));
    sums
}

/// Sums all rows; `None` if there are none.
pub(super) fn total(rows: &[Spending]) -> Option<Spending> {
    let (first, rest) = rows.split_first()?;
    let mut sum = first.clone();
    rest.iter().for_each(|row| sum.add(row));
    Some(sum)
}
