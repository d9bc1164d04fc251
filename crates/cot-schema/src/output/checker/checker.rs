//! The checker of `#[cot(…)]` attributes.

use serde_json::Value;

use crate::{
    issue::{Issue, Issues},
    path::{PathSegment, format_path},
};

/// Runs the checks of an output and of the values inside it, and collects the issues. The derive generates
/// the calls.
#[derive(Debug, Default)]
pub struct Checker<'a> {
    /// The issues that schema validation has found.
    known: Option<&'a Issues>,
    path: Vec<CheckerStep>,
    found: Vec<Finding>,
    omitted: usize,
}

/// A step to a nested value. Field names are borrowed, since most outputs have no issues.
#[derive(Debug)]
pub(super) enum CheckerStep {
    Field(&'static str),
    Member(String),
    Item(usize),
}

/// An issue that a check has found.
#[derive(Debug)]
struct Finding {
    issue: Issue,
    /// The path of the checked value, if the issue is about the value as a whole.
    place: Option<Vec<PathSegment>>,
}

/// Maximum number of issues in a report. More would not help a model to correct its reply.
const MAX_ISSUES: usize = 20;

impl<'a> Checker<'a> {
    /// Creates a checker for a value with known schema errors. Checks skip the values that have such errors.
    pub(crate) fn new(known: &'a Issues) -> Self {
        Self { known: Some(known), ..Self::default() }
    }

    /// Runs `check` if the condition of a rule holds.
    pub fn when(&mut self, holds: bool, check: impl FnOnce(&mut Self)) {
        if holds {
            check(self);
        }
    }

    /// Runs a check on the value at the current path. `why` is appended to each message.
    pub fn check(&mut self, check: impl FnOnce() -> Result<(), Issues>, why: &str) {
        if self.is_known_to_be_wrong() {
            return;
        }
        let Err(issues) = check() else { return };
        let places: Vec<bool> =
            issues.iter().map(|issue| issue.path == "$" && issue.value.is_none()).collect();
        let issues: Vec<Issue> = issues.prefixed(&self.steps()).collect();
        for (mut issue, is_here) in issues.into_iter().zip(places) {
            issue.message.push_str(why);
            let place = is_here.then(|| self.steps());
            self.push(Finding { issue, place });
        }
    }

    /// Returns whether schema validation has found an error in the value at the current path.
    fn is_known_to_be_wrong(&self) -> bool {
        let Some(known) = self.known.filter(|known| !known.is_empty()) else {
            return false;
        };
        let path = format_path(&self.steps());
        let is_inside = |issue: &Issue| {
            let rest = issue.path.strip_prefix(&path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        known.iter().any(is_inside)
    }

    /// Reports `message` at the current path unless `holds`. For rules about the presence of a value.
    pub fn require(&mut self, holds: bool, message: &str) {
        if !holds {
            self.push(Finding {
                issue: Issue::new(format_path(&self.steps()), message),
                place: None,
            });
        }
    }

    /// Runs `check` on a nested value, with its step appended to the current path.
    pub(super) fn step(&mut self, step: CheckerStep, check: impl FnOnce(&mut Self)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    /// Returns the current path.
    fn steps(&self) -> Vec<PathSegment> {
        let steps = self.path.iter().map(|step| match step {
            CheckerStep::Field(name) => PathSegment::Key((*name).to_owned()),
            CheckerStep::Member(key) => PathSegment::Key(key.clone()),
            CheckerStep::Item(index) => PathSegment::Index(*index),
        });
        steps.collect()
    }

    fn push(&mut self, found: Finding) {
        if self.found.len() < MAX_ISSUES {
            self.found.push(found);
        } else {
            self.omitted += 1;
        }
    }

    /// Returns all issues. `checked` returns the checked value as JSON; it is called only if there are
    /// issues.
    pub(crate) fn into_issues(self, checked: impl FnOnce() -> Option<Value>) -> Issues {
        if self.found.is_empty() {
            return Issues::new();
        }
        let checked = checked().unwrap_or_default();
        let more = format!("{} more problems", self.omitted);
        let more = (self.omitted > 0).then(|| Issue::new("$", more));
        self.found.into_iter().map(|finding| finding.into_issue(&checked)).chain(more).collect()
    }
}

impl Finding {
    /// Converts the finding to an issue, with the rejected part of the checked value.
    fn into_issue(self, checked: &Value) -> Issue {
        let mut value = self.place.is_some().then_some(checked);
        for step in self.place.iter().flatten() {
            value = value.and_then(|value| match step {
                PathSegment::Key(key) => value.get(key),
                PathSegment::Index(index) => value.get(index),
            });
        }
        // The whole reply is not repeated.
        let is_whole = self.place.is_none_or(|place| place.is_empty());
        match value.filter(|_| !is_whole) {
            Some(value) => self.issue.value(value),
            None => self.issue,
        }
    }
}
