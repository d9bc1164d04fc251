//! Parses `process: Other` and `process: Other with start`.

use proc_macro2::TokenTree;
use syn::{
    Expr, Ident, Path, Result, Token,
    parse::{ParseStream, discouraged::Speculative},
};

use crate::{
    diagnostics::{Errors, with_default_help},
    parse::{row::ItemValue, value_syntax::ValueSyntax},
    values::with::parse_with_expr,
};

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

impl ItemValue for SubProcess {
    const SYNTAX: ValueSyntax = ValueSyntax::SubProcess;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let path = input.parse()?;
        let fork = input.fork();
        let with = match parse_with_expr(&fork) {
            Ok(with) => {
                input.advance_to(&fork);
                with
            }
            // The process is known even if its initial state is invalid.
            Err(error) => {
                errors.push(with_default_help(error, FORM));
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<TokenTree>()?;
                }
                None
            }
        };
        Ok(Self { path, with })
    }
}

const FORM: &str = "write `process: Name` or `process: Name with state`";
