//! The text of a template, taken apart.

use std::fmt;

use syn::{Expr, LitStr};

/// The text of a template, taken apart.
#[derive(Debug)]
pub struct TemplateText {
    /// The text itself, or the name of the included file: where errors point.
    pub literal: LitStr,
    /// Whether `literal` names a file.
    pub included: bool,
    /// The whole text, of the literal or of the file.
    pub source: String,
    /// Its pieces in their order.
    pub pieces: Vec<Piece>,
    /// What could not be read.
    pub flaws: Vec<Flaw>,
}

/// A piece of a template.
#[derive(Debug)]
pub enum Piece {
    /// Text that is shown as it stands.
    Text(String),
    /// `${ … }`.
    Shown {
        /// The expression whose value is shown.
        expr: Box<Expr>,
        /// The piece as written.
        code: String,
        /// Where it begins.
        at: Position,
    },
}

/// Something in a template that could not be read.
#[derive(Debug)]
pub struct Flaw {
    /// Where it begins.
    pub at: Position,
    /// The piece as written.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// A place in a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
