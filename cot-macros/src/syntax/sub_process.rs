//! `process: Other`, or `process: Other with start`.

use syn::{
    Expr, Path, Result,
    parse::{Parse, ParseStream},
};

use super::with::with;

/// A process that a task runs, and what its state begins with.
#[derive(Debug)]
pub(crate) struct SubProcess {
    pub(crate) path: Path,
    pub(crate) with: Option<Expr>,
}

impl Parse for SubProcess {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { path: input.parse()?, with: with(input)? })
    }
}
