//! Coerces values to choices: the cheapest branch is chosen.

use std::{rc::Rc, slice};

use cot_schema::internal::{Either, NodeId, Types, same_name, truncate};
use serde_json::Value;

use super::{choice::is_alike, coercer::Coercer, outcome::Outcome, shape::CoercionGraph};

/// Maximum length of a value in an issue.
const MAX_SHOWN: usize = 80;

impl Coercer<'_> {
    /// Coerces a value to the branch that it names, or else to the cheapest one.
    pub(super) fn either(&mut self, either: &Either, value: &Value, lossy: bool) -> Rc<Outcome> {
        let chosen = either.find_branch(value).map(|label| &label.branch);
        let titled = self.branch_by_title(either, value).filter(|_| chosen.is_none());
        let branches = match chosen.or(titled) {
            Some(branch) => slice::from_ref(branch),
            None => either.branches.as_slice(),
        };
        let mut found = Vec::with_capacity(branches.len());
        for branch in branches {
            // If a branch accepts any string, a string such as `null` is not converted.
            if value.is_string() && either.takes_text && is_null(self.shape, *branch) {
                continue;
            }
            let outcome = self.coerce(*branch, value, lossy);
            if outcome.fits() && outcome.cost == 0 {
                return outcome;
            }
            found.push((*branch, outcome));
        }
        if chosen.is_some()
            && let Some(same) = self.unchanged(either, value, lossy)
        {
            return same;
        }
        self.cheapest(&found, value)
            .or_else(|| self.convert_variant(either, value, lossy))
            .or_else(|| titled.map(|_| Rc::new(misnamed(value))))
            .unwrap_or_else(|| self.nearest(found, value))
    }

    /// Returns the outcome of a branch that has all keys of an object and that it fits as it is: what names one branch
    /// may be a valid value of another.
    fn unchanged(&mut self, either: &Either, value: &Value, lossy: bool) -> Option<Rc<Outcome>> {
        let members = value.as_object()?;
        for branch in &either.branches {
            if self.shape.knows_all(*branch, members) {
                let outcome = self.coerce(*branch, value, lossy);
                if outcome.fits() && outcome.cost == 0 {
                    return Some(outcome);
                }
            }
        }
        None
    }

    /// Returns the cheapest fitting outcome, or a doubt if different values are equally cheap.
    pub(super) fn cheapest(
        &self,
        found: &[(NodeId, Rc<Outcome>)],
        value: &Value,
    ) -> Option<Rc<Outcome>> {
        let fitting = || found.iter().map(|(_, outcome)| outcome).filter(|outcome| outcome.fits());
        let best = fitting().min_by_key(|outcome| outcome.cost)?;
        let mut equal = fitting().filter(|other| other.cost == best.cost).skip(1).peekable();
        if equal.peek().is_some() {
            let made = best.value(value);
            let others = equal.map(|other| other.value(value));
            if let Some(other) = others.into_iter().find(|other| !is_alike(other, &made)) {
                return Some(Rc::new(doubt_between(&made, &other)));
            }
        }
        Some(Rc::clone(best))
    }

    /// Returns the outcome of the only branch that accepts the type of the value, or else a misfit.
    fn nearest(&self, found: Vec<(NodeId, Rc<Outcome>)>, value: &Value) -> Rc<Outcome> {
        let is_only = found.len() == 1;
        let takes = |branch: NodeId| is_only || self.shape.takes(branch, Types::from_value(value));
        let mut possible = found.into_iter().filter(|(branch, _)| takes(*branch));
        match (possible.next(), possible.next()) {
            (Some((_, outcome)), None) => outcome,
            _ => Rc::clone(&self.misfit),
        }
    }

    /// Returns the branch whose title is the only key around an object, unless a branch has such a key.
    /// Rewritten schemas ask engines for this form to distinguish objects.
    fn branch_by_title<'e>(&self, either: &'e Either, value: &Value) -> Option<&'e NodeId> {
        let members = value.as_object().filter(|members| members.len() == 1)?;
        let (key, _) = members.iter().next().filter(|(_, inner)| inner.is_object())?;
        let has_key = |branch: &NodeId| self.shape.knows_all(*branch, members);
        if either.branches.iter().any(has_key) {
            return None;
        }
        let number = key.strip_prefix("option_").and_then(|number| number.parse::<usize>().ok());
        let numbered = || either.branches.get(number?.checked_sub(1)?);
        let is_called = |branch: &&NodeId| {
            let titles = self.shape.node(**branch).map(|node| node.titles.as_slice());
            titles.unwrap_or_default().iter().any(|title| same_name(title, key))
        };
        only(either.branches.iter().filter(is_called)).or_else(numbered)
    }
}

/// Returns whether a node accepts null alone.
fn is_null(shape: CoercionGraph<'_>, id: NodeId) -> bool {
    shape.node(id).is_some_and(|node| node.types == Types::NULL && node.either.is_none())
}

/// Returns the doubt about an object under the name of a branch that it does not fit.
fn misnamed(value: &Value) -> Outcome {
    let name = value.as_object().and_then(|members| members.keys().next());
    let name = truncate(name.map_or("", String::as_str), MAX_SHOWN);
    Outcome::doubt(format!("does not fit `{name}`, under whose name it is given"))
}

fn doubt_between(one: &Value, other: &Value) -> Outcome {
    let (one, other) = (one.to_string(), other.to_string());
    let (one, other) = (truncate(&one, MAX_SHOWN), truncate(&other, MAX_SHOWN));
    Outcome::doubt(format!("could be `{one}` or `{other}`; write it in the form that is meant"))
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
