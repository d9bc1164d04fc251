//! `update: path`, or `update: { path = expr, … }`.

use proc_macro2::{Punct, Spacing};
use quote::ToTokens;
use syn::{
    Expr, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use super::{items::list, path::StatePath};
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
}

impl Update {
    pub(crate) fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(syn::token::Brace) {
            return Ok(Self { writes: vec![Write { path: input.parse()?, value: None }] });
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
        Ok(Self { path, value: Some(input.parse()?) })
    }
}
