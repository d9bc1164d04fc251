//! `update: path`, or `update: { path = expr if guard, … }`.

use proc_macro2::{Punct, Spacing};
use quote::ToTokens;
use syn::{
    Expr, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use super::{items::list, path::StatePath, with::guard};
use crate::diagnostics::{Errors, mistake, mistake_over};

/// The state writes of an accepted output.
#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) writes: Vec<Write>,
}

/// One state write.
#[derive(Debug)]
pub(crate) struct Write {
    pub(crate) path: StatePath,
    /// `None` is the shorthand: the whole output.
    pub(crate) value: Option<Expr>,
    /// The condition, `let` patterns included, without which nothing is written.
    pub(crate) guard: Option<Expr>,
}

impl Update {
    pub(crate) fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(syn::token::Brace) {
            let path: StatePath = input.parse()?;
            if input.peek(Token![=]) {
                let written = path.to_token_stream().to_string().replace(' ', "");
                return Err(mistake(
                    input.span(),
                    "writes with values stand in braces",
                    format!(
                        "write `update: {{ {written} = … }}`; `update: {written}` writes the whole output"
                    ),
                ));
            }
            return Ok(Self { writes: vec![Write { path, value: None, guard: None }] });
        }
        let content;
        braced!(content in input);
        Ok(Self { writes: list(&content, errors, "path = value", Write::parse) })
    }
}

/// The operator of `+=` and the like.
fn compound(input: ParseStream<'_>) -> Option<char> {
    let fork = input.fork();
    let (operator, equals): (Punct, Punct) = (fork.parse().ok()?, fork.parse().ok()?);
    let joint = operator.spacing() == Spacing::Joint && equals.as_char() == '=';
    (joint && "+-*/%&|^".contains(operator.as_char())).then(|| operator.as_char())
}

impl Parse for Write {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path: StatePath = input.parse()?;
        if let Some(operator) = compound(input) {
            let written = path.to_token_stream().to_string().replace(' ', "");
            let value = match written.contains(['?', '[']) {
                true => "…".to_owned(),
                false => format!("state.{written} {operator} …"),
            };
            return Err(mistake(
                input.span(),
                format!("an update writes with `=`, not with `{operator}=`"),
                format!("write `{written} = {value}`; `items[]` appends"),
            ));
        }
        if input.parse::<Option<Token![=]>>()?.is_none() {
            return Err(mistake_over(
                &path,
                "expected `=` after the state path",
                "write `path = value`, for one `path = output`",
            ));
        }
        let (value, guard) = (Some(input.parse()?), guard(input)?);
        if guard.is_some() && input.peek(Token![else]) {
            return Err(mistake(
                input.span(),
                "the condition of a write has no `else`",
                "write `path = if condition { a } else { b }`, or two writes with a condition each",
            ));
        }
        Ok(Self { path, value, guard })
    }
}
