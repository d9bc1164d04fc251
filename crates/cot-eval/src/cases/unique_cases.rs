//! Cases of a text, of which each has another name.

use std::collections::HashMap;

use super::{case::Case, error::CaseError};

/// The cases that were read so far.
pub(super) struct UniqueCases<S, E, I> {
    cases: Vec<Case<S, E, I>>,
    /// The lines of the names.
    lines: HashMap<String, usize>,
}

impl<S, E, I> UniqueCases<S, E, I> {
    pub(super) fn new() -> Self {
        Self { cases: Vec::new(), lines: HashMap::new() }
    }

    /// Adds the case of a line, if it was read. The error of reading is a column and a reason.
    pub(super) fn add(
        &mut self,
        line: usize,
        read: Result<Case<S, E, I>, (usize, String)>,
    ) -> Result<(), CaseError> {
        let case = read.map_err(|(column, reason)| CaseError { line, column, reason })?;
        if let Some(first) = self.lines.insert(case.name.clone(), line) {
            let reason = format!("the name {:?} is that of line {first}, too", case.name);
            return Err(CaseError { line, column: 1, reason });
        }
        self.cases.push(case);
        Ok(())
    }

    /// Returns the cases. A text without one is more likely the wrong file than an eval of nothing.
    pub(super) fn finish(self) -> Result<Vec<Case<S, E, I>>, CaseError> {
        if self.cases.is_empty() {
            return Err(CaseError { line: 1, column: 1, reason: "there is no case".to_owned() });
        }
        Ok(self.cases)
    }
}
