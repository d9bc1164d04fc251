//! Parses `on: { exhausted => task, … }`.

use syn::{Ident, Result, Token, braced, ext::IdentExt, parse::ParseStream};

use crate::diagnostics::Errors;
use crate::parse::{
    list::{parse_list, parse_mark},
    row::ItemValue,
    value_syntax::ValueSyntax,
};

/// A route of `on`: the next task after a failure, in the place of a halt.
#[derive(Debug)]
pub struct OnRoute {
    /// The failure, one of [`ON_FAILURES`]. The parser accepts any word.
    pub when: Ident,
    /// The next task.
    pub target: Ident,
}

/// The failures that `on` can route.
pub const ON_FAILURES: [&str; 7] =
    ["exhausted", "truncated", "refused", "timeout", "unreachable", "budget", "interrupted"];

impl ItemValue for Vec<OnRoute> {
    const SYNTAX: ValueSyntax = ValueSyntax::Routes;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let content;
        braced!(content in input);
        Ok(parse_list(&content, errors, FORM, |input| OnRoute::parse(input, errors)))
    }
}

const FORM: &str = "exhausted => task";

impl OnRoute {
    fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let when = input.call(Ident::parse_any)?;
        parse_mark::<Token![=>]>(input, errors, FORM)?;
        Ok(Self { when, target: input.parse()? })
    }
}
