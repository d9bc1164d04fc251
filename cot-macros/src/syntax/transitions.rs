//! `transitions: { target: "label" if guard, … }`.

use syn::{
    Expr, Ident, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use super::{items::list, next::guard, template::Template};
use crate::diagnostics::Errors;

/// A place where the model may choose to go.
#[derive(Debug)]
pub(crate) struct Transition {
    pub(crate) target: Ident,
    pub(crate) label: Option<Template>,
    pub(crate) guard: Option<Expr>,
}

pub(super) fn transitions(input: ParseStream<'_>, errors: &Errors) -> Result<Vec<Transition>> {
    let content;
    braced!(content in input);
    Ok(list(&content, errors, "task: \"label\" if guard", Transition::parse))
}

impl Parse for Transition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let target = input.parse()?;
        let label = match input.parse::<Option<Token![:]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { target, label, guard: guard(input)? })
    }
}
