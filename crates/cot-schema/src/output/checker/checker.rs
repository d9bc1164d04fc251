//! Runs what `#[cot(…)]` checks.

use serde_json::Value;

use crate::{
    issue::{Issue, Issues},
    path::{Step, path_of},
};

/// Runs the checks of an output and of what is inside it, and keeps all that is wrong. The derive
/// writes the calls.
#[derive(Debug, Default)]
pub struct Checker<'a> {
    /// What is wrong with the value by its schema.
    known: Option<&'a Issues>,
    path: Vec<Inward>,
    found: Vec<Found>,
    omitted: usize,
}

/// A step to a value inside. Names of fields are not copied: most outputs have no issues.
#[derive(Debug)]
pub(super) enum Inward {
    Field(&'static str),
    Member(String),
    Item(usize),
}

/// What a check has found.
#[derive(Debug)]
struct Found {
    issue: Issue,
    /// The way to the value that was checked, if it is that which is wrong.
    place: Option<Vec<Step>>,
}

/// How many issues a reply is told; more would not help a model to mend it.
const MAX_ISSUES: usize = 20;

impl<'a> Checker<'a> {
    /// A checker of a value of which something may be wrong by its schema: a check sees only what that is
    /// not said of.
    pub(crate) fn new(known: &'a Issues) -> Self {
        Self { known: Some(known), ..Self::default() }
    }

    /// Runs the checks that a rule makes, where its condition holds.
    pub fn when(&mut self, holds: bool, check: impl FnOnce(&mut Self)) {
        if holds {
            check(self);
        }
    }

    /// Runs a check of the value where the checker stands. `why` ends each of its messages.
    pub fn check(&mut self, check: impl FnOnce() -> Result<(), Issues>, why: &str) {
        if self.is_known_to_be_wrong() {
            return;
        }
        let Err(issues) = check() else { return };
        let places: Vec<bool> =
            issues.iter().map(|issue| issue.path == "$" && issue.value.is_none()).collect();
        let issues: Vec<Issue> = issues.below(&self.steps()).collect();
        for (mut issue, is_here) in issues.into_iter().zip(places) {
            issue.message.push_str(why);
            let place = is_here.then(|| self.steps());
            self.push(Found { issue, place });
        }
    }

    /// Whether something is wrong by the schema with the value where the checker stands.
    fn is_known_to_be_wrong(&self) -> bool {
        let Some(known) = self.known.filter(|known| !known.is_empty()) else {
            return false;
        };
        let path = path_of(&self.steps());
        let is_inside = |issue: &Issue| {
            let rest = issue.path.strip_prefix(&path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        known.iter().any(is_inside)
    }

    /// A rule about whether the value where the checker stands is given.
    pub fn must(&mut self, holds: bool, message: &str) {
        if !holds {
            self.push(Found { issue: Issue::new(path_of(&self.steps()), message), place: None });
        }
    }

    /// Does the checks of a value one step further in.
    pub(super) fn step(&mut self, step: Inward, check: impl FnOnce(&mut Self)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    /// Where the checker stands.
    fn steps(&self) -> Vec<Step> {
        let steps = self.path.iter().map(|step| match step {
            Inward::Field(name) => Step::Key((*name).to_owned()),
            Inward::Member(key) => Step::Key(key.clone()),
            Inward::Item(index) => Step::Index(*index),
        });
        steps.collect()
    }

    fn push(&mut self, found: Found) {
        if self.found.len() < MAX_ISSUES {
            self.found.push(found);
        } else {
            self.omitted += 1;
        }
    }

    /// All that is wrong. `checked` gives the value that was checked, as JSON.
    pub(crate) fn into_issues(self, checked: impl FnOnce() -> Option<Value>) -> Issues {
        if self.found.is_empty() {
            return Issues::new();
        }
        let checked = checked().unwrap_or_default();
        let more = format!("{} more problems", self.omitted);
        let more = (self.omitted > 0).then(|| Issue::new("$", more));
        self.found.into_iter().map(|found| found.told(&checked)).chain(more).collect()
    }
}

impl Found {
    /// The issue, with the rejected value.
    fn told(self, checked: &Value) -> Issue {
        let mut value = self.place.is_some().then_some(checked);
        for step in self.place.iter().flatten() {
            value = value.and_then(|value| match step {
                Step::Key(key) => value.get(key),
                Step::Index(index) => value.get(index),
            });
        }
        // Of a whole reply, the issue says enough.
        let is_whole = self.place.is_none_or(|place| place.is_empty());
        match value.filter(|_| !is_whole) {
            Some(value) => self.issue.with_value(value),
            None => self.issue,
        }
    }
}
