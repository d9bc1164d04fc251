//! `transitions: { target: "label" with expr if guard, … }`.

use syn::{
    Expr, Ident, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use super::{
    items::list,
    template::Template,
    with::{With, guard, with},
};
use crate::diagnostics::Errors;

/// A place where the model may choose to go.
#[derive(Debug)]
pub(crate) struct Transition {
    pub(crate) target: Ident,
    pub(crate) label: Option<Template>,
    /// The inputs that it delivers.
    pub(crate) with: Option<With>,
    pub(crate) guard: Option<Expr>,
}

pub(super) fn transitions(input: ParseStream<'_>, errors: &Errors) -> Result<Vec<Transition>> {
    let content;
    braced!(content in input);
    Ok(list(&content, errors, "task: \"label\" with inputs if guard", Transition::parse))
}

impl Parse for Transition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let target = input.parse()?;
        let label = match input.parse::<Option<Token![:]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { target, label, with: with(input)?, guard: guard(input)? })
    }
}
