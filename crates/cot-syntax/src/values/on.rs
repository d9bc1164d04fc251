//! `on: { exhausted => task, … }`.

use syn::{
    Ident, Result, Token, braced,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::Errors;
use crate::parse::table::list;

/// Where to go instead of halting.
#[derive(Debug)]
pub struct OnRoute {
    /// What went wrong: one of [`ON`], once checked.
    pub when: Ident,
    pub target: Ident,
}

/// The words for what can go wrong.
pub const ON: [&str; 6] = ["exhausted", "truncated", "refused", "timeout", "unreachable", "budget"];

pub(crate) fn on(input: ParseStream<'_>, errors: &Errors) -> Result<Vec<OnRoute>> {
    let content;
    braced!(content in input);
    Ok(list(&content, errors, "exhausted => task", OnRoute::parse))
}

impl Parse for OnRoute {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let when = input.call(Ident::parse_any)?;
        input.parse::<Token![=>]>()?;
        Ok(Self { when, target: input.parse()? })
    }
}
