//! Parses `process: Other` and `process: Other with start`.

use syn::{
    Expr, Ident, Path, Result,
    parse::{Parse, ParseStream},
};

use crate::values::with::parse_with_expr;

/// The sub-process that a task runs, and its initial state.
#[derive(Debug)]
pub struct SubProcess {
    /// The path of the process.
    pub path: Path,
    /// The expression of its initial state.
    pub with: Option<Expr>,
}

impl SubProcess {
    /// Returns whether the path refers to the process that contains the task, which has the given name.
    pub fn refers_to(&self, process: &Ident) -> bool {
        self.path.is_ident(process) || self.path.is_ident("Self")
    }
}

impl Parse for SubProcess {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { path: input.parse()?, with: parse_with_expr(input)? })
    }
}
