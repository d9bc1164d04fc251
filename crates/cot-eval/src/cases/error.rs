//! The error of reading cases.

/// The error of reading cases: where the text is wrong, and why.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
#[non_exhaustive]
pub struct CaseError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the byte in the line, or that of the column of CSV, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

cot_schema::debug_as_sentence!(CaseError);
