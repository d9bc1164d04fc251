//! `next: task`, or `next: { a if guard, b with expr if guard, c }`.

use syn::{
    Expr, Ident, Result, braced,
    parse::{Parse, ParseStream},
};

use super::{
    items::list,
    with::{With, guard, with},
};
use crate::diagnostics::{Errors, mistake};

/// Where a task goes after success; the first arm that matches wins.
#[derive(Debug)]
pub(crate) struct Next {
    pub(crate) arms: Vec<Arm>,
}

/// One arm of `next`.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) target: Ident,
    /// The inputs that it delivers.
    pub(crate) with: Option<Expr>,
    pub(crate) guard: Option<Expr>,
}

impl Next {
    pub(crate) fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(syn::token::Brace) {
            return Ok(Self { arms: vec![input.parse()?] });
        }
        let content;
        braced!(content in input);
        Ok(Self { arms: list(&content, errors, "task with inputs if guard", Arm::parse) })
    }
}

impl Parse for Arm {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let target = input.parse()?;
        let with = match with(input)? {
            Some(With::Model(word)) => {
                return Err(mistake(
                    word.span(),
                    "no model chooses the way of `next`, so none can supply the inputs",
                    format!("compute them: `{target} with expression`"),
                ));
            }
            Some(With::Expr(expr)) => Some(expr),
            None => None,
        };
        Ok(Self { target, with, guard: guard(input)? })
    }
}
