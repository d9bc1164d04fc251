//! Parses `update: path` and `update: { path = expr if guard, … }`.

use proc_macro2::{Punct, Spacing};
use quote::ToTokens;
use syn::{
    Expr, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::{Errors, error_at, error_over};
use crate::parse::{list::parse_list, row::ItemValue, value_syntax::ValueSyntax};
use crate::values::path::StatePath;
use crate::values::with::parse_guard;

/// The state writes of an accepted output.
#[derive(Debug)]
pub struct Update {
    /// The writes, in the order in which they are performed.
    pub writes: Vec<Write>,
}

/// A write to one state path.
#[derive(Debug)]
pub struct Write {
    /// The place that is written.
    pub path: StatePath,
    /// The new value. `None` writes the whole output.
    pub value: Option<Expr>,
    /// The guard, which can contain `let` patterns. Nothing is written if it does not hold.
    pub guard: Option<Expr>,
}

impl ItemValue for Update {
    const SYNTAX: ValueSyntax = ValueSyntax::Update;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(syn::token::Brace) {
            let path: StatePath = input.parse()?;
            if input.peek(Token![=]) {
                let written = path.to_token_stream().to_string().replace(' ', "");
                return Err(error_at(
                    input.span(),
                    "a write with a value must be in braces",
                    format!(
                        "write `update: {{ {written} = … }}`; `update: {written}` writes the whole output"
                    ),
                ));
            }
            return Ok(Self { writes: vec![Write { path, value: None, guard: None }] });
        }
        let content;
        braced!(content in input);
        Ok(Self { writes: parse_list(&content, errors, "path = value", Write::parse) })
    }
}

/// Returns the operator of a compound assignment such as `+=`, without consuming it.
fn peek_compound_operator(input: ParseStream<'_>) -> Option<char> {
    let fork = input.fork();
    let (operator, equals): (Punct, Punct) = (fork.parse().ok()?, fork.parse().ok()?);
    let joint = operator.spacing() == Spacing::Joint && equals.as_char() == '=';
    (joint && "+-*/%&|^".contains(operator.as_char())).then(|| operator.as_char())
}

impl Parse for Write {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path: StatePath = input.parse()?;
        if let Some(operator) = peek_compound_operator(input) {
            let written = path.to_token_stream().to_string().replace(' ', "");
            let value = match written.contains(['?', '[']) {
                true => "…".to_owned(),
                false => format!("state.{written} {operator} …"),
            };
            return Err(error_at(
                input.span(),
                format!("an update writes with `=`, not with `{operator}=`"),
                format!("write `{written} = {value}`; `items[]` appends"),
            ));
        }
        if input.parse::<Option<Token![=]>>()?.is_none() {
            return Err(error_over(
                &path,
                "expected `=` after the state path",
                "write `path = value`, as in `path = output`",
            ));
        }
        let (value, guard) = (Some(input.parse()?), parse_guard(input)?);
        if guard.is_some() && input.peek(Token![else]) {
            return Err(error_at(
                input.span(),
                "the condition of a write can't have an `else`",
                "write `path = if condition { a } else { b }`, or two writes with a condition each",
            ));
        }
        Ok(Self { path, value, guard })
    }
}
