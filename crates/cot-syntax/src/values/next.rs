//! `next: task`, or `next: { a if guard, b with expr if guard, c }`.

use syn::{
    Expr, Ident, Result, braced,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::{Errors, error_at};
use crate::parse::{list::parse_list, row::ItemValue};
use crate::values::with::{With, guard, with};

/// Where a task goes after success; the first arm that matches wins.
#[derive(Debug)]
pub struct Next {
    /// The arms in their order.
    pub arms: Vec<Arm>,
}

/// One arm of `next`.
#[derive(Debug)]
pub struct Arm {
    /// The task to which it leads.
    pub target: Ident,
    /// The inputs that it delivers.
    pub with: Option<Expr>,
    /// The condition without which the next arm is tried.
    pub guard: Option<Expr>,
}

impl ItemValue for Next {
    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(syn::token::Brace) {
            return Ok(Self { arms: vec![input.parse()?] });
        }
        let content;
        braced!(content in input);
        Ok(Self { arms: parse_list(&content, errors, "task with inputs if guard", Arm::parse) })
    }
}

impl Parse for Arm {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let target = input.parse()?;
        let with = match with(input)? {
            Some(With::Model(word)) => {
                return Err(error_at(
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
