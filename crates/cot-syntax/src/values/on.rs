//! `on: { exhausted => task, … }`.

use syn::{
    Ident, Result, Token, braced,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::Errors;
use crate::parse::{list::parse_list, row::ItemValue};

/// Where to go instead of halting.
#[derive(Debug)]
pub struct OnRoute {
    /// What went wrong: one of [`ON`], once checked.
    pub when: Ident,
    /// The task to go to.
    pub target: Ident,
}

/// The words for what can go wrong.
pub const ON: [&str; 6] = ["exhausted", "truncated", "refused", "timeout", "unreachable", "budget"];

impl ItemValue for Vec<OnRoute> {
    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let content;
        braced!(content in input);
        Ok(parse_list(&content, errors, "exhausted => task", OnRoute::parse))
    }
}

impl Parse for OnRoute {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let when = input.call(Ident::parse_any)?;
        input.parse::<Token![=>]>()?;
        Ok(Self { when, target: input.parse()? })
    }
}
