//! `next: task`, or `next: { a if guard, b if guard, c }`.

use syn::{
    Expr, Ident, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use super::items::list;
use crate::diagnostics::Errors;

/// Where a task goes after success; the first arm that matches wins.
#[derive(Debug)]
pub(crate) struct Next {
    pub(crate) arms: Vec<Arm>,
}

/// One arm of `next`.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) target: Ident,
    pub(crate) guard: Option<Expr>,
}

impl Next {
    pub(crate) fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(syn::token::Brace) {
            return Ok(Self { arms: vec![input.parse()?] });
        }
        let content;
        braced!(content in input);
        Ok(Self { arms: list(&content, errors, "task if guard", Arm::parse) })
    }
}

impl Parse for Arm {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { target: input.parse()?, guard: guard(input)? })
    }
}

/// `if guard`, where it stands.
pub(super) fn guard(input: ParseStream<'_>) -> Result<Option<Expr>> {
    match input.parse::<Option<Token![if]>>()? {
        Some(_) => input.parse().map(Some),
        None => Ok(None),
    }
}
