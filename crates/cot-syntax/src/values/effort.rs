//! Parses `effort: low`.

use syn::{Ident, LitStr, Result, ext::IdentExt, parse::ParseStream};

use crate::{
    diagnostics::{Errors, error_at, join_names, suggest},
    parse::{
        row::ItemValue,
        value_syntax::{ValueSyntax, WordSet},
    },
};

/// How much a reasoning model thinks: one of [`EFFORTS`].
#[derive(Debug)]
pub struct EffortValue(pub Ident);

/// The levels of `effort`, in ascending order.
pub const EFFORTS: [&str; 4] = ["minimal", "low", "medium", "high"];

impl ItemValue for EffortValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Effort", words: &EFFORTS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            let help = format!("write one of {} without quotes", join_names(EFFORTS));
            return Err(error_at(text.span(), "expected a level of effort", help));
        }
        let expected = |error: syn::Error| {
            let help = format!("the levels are {}", join_names(EFFORTS));
            error_at(error.span(), "expected a level of effort", help)
        };
        let word = input.call(Ident::parse_any).map_err(expected)?;
        if EFFORTS.iter().any(|level| word == level) {
            return Ok(Self(word));
        }
        let help = match suggest(&word.to_string(), EFFORTS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the levels are {}", join_names(EFFORTS)),
        };
        Err(error_at(word.span(), format!("unknown effort `{word}`"), help))
    }
}
