//! Problems in a file, with their positions.

use std::fmt;

/// A problem in a file, which is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The offset in bytes.
    pub offset: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(text: &str, offset: usize, message: String) -> Self {
        let offset = text.floor_char_boundary(offset);
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[start..].trim_start_matches('\u{feff}').chars().count() + 1;
        Self { offset, line, column, message }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}
