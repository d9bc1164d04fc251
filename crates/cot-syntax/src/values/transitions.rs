//! `transitions: { target: "label" with expr if guard, … }`.

use syn::{
    Expr, Ident, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::Errors;
use crate::parse::{list::parse_list, row::ItemValue};
use crate::template::syntax::Template;
use crate::values::with::{With, guard, with};

/// A place where the model may choose to go.
#[derive(Debug)]
pub struct Transition {
    /// The task to which it leads.
    pub target: Ident,
    /// The label that the prompt shows.
    pub label: Option<Template>,
    /// The inputs that it delivers.
    pub with: Option<With>,
    /// The condition without which it is not offered.
    pub guard: Option<Expr>,
}

impl ItemValue for Vec<Transition> {
    const SHOWS_TEMPLATES: bool = true;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let content;
        braced!(content in input);
        Ok(parse_list(&content, errors, "task: \"label\" with inputs if guard", Transition::parse))
    }
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
