//! Runs what `#[cot(…)]` checks.

use crate::{Issues, reader::Step};

/// Runs the checks of an output and of what is inside it, and keeps all that is wrong. The derive
/// writes the calls.
#[derive(Debug, Default)]
pub struct Checker {
    path: Vec<Step>,
    issues: Issues,
}

impl Checker {
    /// Goes into a field.
    pub fn field(&mut self, name: &str, check: impl FnOnce(&mut Self)) {
        self.path.push(Step::Key(name.to_owned()));
        check(self);
        self.path.pop();
    }

    /// What a check of the value where the checker stands came to.
    pub fn take(&mut self, result: Result<(), Issues>) {
        if let Err(issues) = result {
            self.issues.extend(issues.below(&self.path));
        }
    }

    pub(crate) fn into_issues(self) -> Issues {
        self.issues
    }
}
