//! `process: Other`, or `process: Other with start`.

use syn::{
    Expr, Ident, Path, Result,
    parse::{Parse, ParseStream},
};

use crate::values::with::with_expr;

/// A process that a task runs, and what its state begins with.
#[derive(Debug)]
pub struct SubProcess {
    /// The process.
    pub path: Path,
    /// The state that it begins with.
    pub with: Option<Expr>,
}

impl SubProcess {
    /// Returns whether it is the process of this name, in which it stands.
    pub fn names(&self, process: &Ident) -> bool {
        self.path.is_ident(process) || self.path.is_ident("Self")
    }
}

impl Parse for SubProcess {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { path: input.parse()?, with: with_expr(input)? })
    }
}
