//! The cases: texts with their right values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ask::BenchError, kinds::Kind};

/// A text with the value that is right.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) half: Half,
    pub(crate) text: String,
    pub(crate) right: Value,
}

impl Case {
    /// Whether a value is the right one as the type of the kind has it: a member that is left out is `null`.
    pub(crate) fn is_right(&self, value: Option<&Value>) -> bool {
        let typed = value.and_then(|value| self.kind.asker().typed(value).ok());
        typed.as_ref() == Some(&self.right)
    }
}

/// What a case is for. A text that is chosen by its result on cases fits these cases, so that others have to show
/// what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Half {
    /// Used while texts are chosen.
    Choose,
    /// Measured once, at the end.
    Hold,
}

/// Returns all cases.
///
/// # Errors
///
/// If a right value is none of its type.
pub(crate) fn cases() -> Result<Vec<Case>, BenchError> {
    include_str!("../cases.jsonl").lines().map(case).collect()
}

fn case(line: &str) -> Result<Case, BenchError> {
    let mut case: Case = serde_json::from_str(line)?;
    let right = case.kind.asker().typed(&case.right);
    case.right = right.map_err(|error| format!("the right value of {}: {error}", case.id))?;
    Ok(case)
}

/// Puts one case of each kind first, then another one of each, so that the first cases are of all kinds.
pub(crate) fn mixed(cases: Vec<Case>) -> Vec<Case> {
    let mut ranks = BTreeMap::<Kind, usize>::new();
    let mut ranked: Vec<_> = cases
        .into_iter()
        .map(|case| {
            let rank = ranks.entry(case.kind).or_default();
            *rank += 1;
            (*rank, case)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, case)| case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_have_right_values_and_two_halves_of_every_kind() {
        let cases = cases().unwrap();
        assert!(cases.len() >= 60, "{}", cases.len());
        let mut halves = BTreeMap::<Kind, [usize; 2]>::new();
        for case in &cases {
            halves.entry(case.kind).or_default()[usize::from(case.half == Half::Hold)] += 1;
            assert_eq!(cases.iter().filter(|other| other.id == case.id).count(), 1, "{}", case.id);
        }
        assert!(halves.values().all(|[choose, hold]| choose == hold), "{halves:?}");
    }

    #[test]
    fn the_first_cases_are_of_all_kinds() {
        let first: Vec<_> = mixed(cases().unwrap()).into_iter().take(11).collect();
        assert!(first.iter().enumerate().all(|(at, case)| case.id.ends_with("01") && at < 11));
    }
}
