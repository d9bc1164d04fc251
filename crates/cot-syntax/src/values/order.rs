//! Parses `order: [intro, goal, …]`.

use syn::{
    Ident, Result, Token, bracketed, ext::IdentExt, parse::ParseStream, punctuated::Punctuated,
    token,
};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{
        list::parse_inside,
        row::ItemValue,
        value_syntax::{ValueSyntax, WordSet},
    },
};

/// The order of the standard parts of prompts. The parser accepts any names.
#[derive(Debug)]
pub struct Order(pub Vec<Ident>);

/// The standard parts of a prompt.
pub const STANDARD_PARTS: [&str; 7] =
    ["intro", "goal", "history", "errors", "prompt", "transitions", "output"];

impl ItemValue for Order {
    const SYNTAX: ValueSyntax =
        ValueSyntax::Words(&WordSet { name: "StandardPart", words: &STANDARD_PARTS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        if !input.peek(token::Bracket) {
            return Err(error_at(input.span(), "expected a list of parts", ORDER_HELP));
        }
        let content;
        bracketed!(content in input);
        let names = parse_inside(&content, |content| {
            Punctuated::<Ident, Token![,]>::parse_terminated_with(content, Ident::parse_any)
        })?;
        Ok(Self(names.into_iter().collect()))
    }
}

/// The help text that shows the syntax of `order`.
pub const ORDER_HELP: &str =
    "write all of them: `order: [intro, goal, prompt, transitions, output, history, errors]`";
