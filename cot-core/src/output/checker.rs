//! Runs what `#[cot(…)]` checks.

use crate::{Issue, Issues, reader::Step};

mod walk;

/// Runs the checks of an output and of what is inside it, and keeps all that is wrong. The derive
/// writes the calls.
#[derive(Debug, Default)]
pub struct Checker {
    path: Vec<Step>,
    issues: Vec<Issue>,
    omitted: usize,
}

/// How many issues a reply is told; more would not help a model to mend it.
const MAX_ISSUES: usize = 20;

impl Checker {
    /// Runs the checks that a rule makes, where its condition holds.
    pub fn when(&mut self, holds: bool, check: impl FnOnce(&mut Self)) {
        if holds {
            check(self);
        }
    }

    /// What a check of the value where the checker stands came to. `why` ends each of its messages.
    pub fn take(&mut self, result: Result<(), Issues>, why: &str) {
        let Err(issues) = result else { return };
        let issues: Vec<Issue> = issues.below(&self.path).collect();
        for mut issue in issues {
            issue.message.push_str(why);
            self.push(issue);
        }
    }

    /// A rule about whether the value where the checker stands is given.
    pub fn must(&mut self, holds: bool, message: &str) {
        if !holds {
            self.take(Err(Issues::at("$", message)), "");
        }
    }

    /// Does the checks of a value one step further in.
    fn step(&mut self, step: Step, check: impl FnOnce(&mut Self)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    fn push(&mut self, issue: Issue) {
        if self.issues.len() < MAX_ISSUES {
            self.issues.push(issue);
        } else {
            self.omitted += 1;
        }
    }

    pub(crate) fn into_issues(mut self) -> Issues {
        if self.omitted > 0 {
            self.issues.push(Issue::new("$", format!("{} more problems", self.omitted)));
        }
        self.issues.into_iter().collect()
    }
}
