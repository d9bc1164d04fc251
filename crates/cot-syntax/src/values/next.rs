//! Parses `next: task` and `next: { a if guard, b with expr if guard, c }`.

use syn::{
    Expr, Ident, Result, braced,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::{Errors, error_at};
use crate::parse::{list::parse_list, row::ItemValue, value_syntax::ValueSyntax};
use crate::values::with::{With, parse_guard, parse_with};

/// The value of `next`: the task after success. The first arm whose guard holds is taken.
#[derive(Debug)]
pub struct Next {
    /// The arms, in the order in which they are tried.
    pub arms: Vec<Arm>,
}

/// One arm of `next`.
#[derive(Debug)]
pub struct Arm {
    /// The next task.
    pub target: Ident,
    /// The inputs of the next task.
    pub with: Option<Expr>,
    /// The guard. The arm is skipped if it does not hold.
    pub guard: Option<Expr>,
}

impl ItemValue for Next {
    const SYNTAX: ValueSyntax = ValueSyntax::Arms;

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
        let with = match parse_with(input)? {
            Some(With::Model(word)) => {
                return Err(error_at(
                    word.span(),
                    "a model can't supply inputs in `next`, since it does not choose the task",
                    format!("compute them: `{target} with expression`"),
                ));
            }
            Some(With::Expr(expr)) => Some(expr),
            None => None,
        };
        Ok(Self { target, with, guard: parse_guard(input)? })
    }
}
