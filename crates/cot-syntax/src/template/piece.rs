//! The text of a template, split into pieces.

use std::fmt;

use proc_macro2::Span;
use syn::{Expr, LitStr};

/// The text of a template, split into literal text and expressions.
#[derive(Debug)]
pub struct TemplateText {
    /// The text itself, or the path of the included file. Errors point at it.
    pub literal: LitStr,
    /// Whether `literal` is the path of a file.
    pub included: bool,
    /// The whole text, from the literal or the file.
    pub source: String,
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
    /// The invalid expressions.
    pub flaws: Vec<Flaw>,
}

impl TemplateText {
    /// Returns where rustc reports errors in the expressions.
    pub fn span(&self) -> Span {
        span_of_errors(&self.literal)
    }
}

/// Returns where rustc reports errors in the expressions of a text. A text of several lines is not underlined as a
/// whole: its beginning is pointed at.
pub(super) fn span_of_errors(literal: &LitStr) -> Span {
    let span = literal.span();
    match proc_macro::is_available() && literal.token().to_string().contains('\n') {
        true => span.unwrap().start().into(),
        false => span,
    }
}

/// A piece of a template.
#[derive(Debug)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// An expression: `${ … }`.
    Expr {
        /// The expression whose value is inserted.
        expr: Box<Expr>,
        /// The source text of the piece, with `${` and `}`.
        code: String,
        /// The position of the `$`.
        at: Position,
    },
}

/// An invalid expression in a template.
#[derive(Debug)]
pub struct Flaw {
    /// The position of the `$`.
    pub at: Position,
    /// The source text of the piece.
    pub code: String,
    /// The error message.
    pub message: String,
    /// The help text, which says what to write instead.
    pub help: String,
}

/// A position in a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
