//! `transitions: { target: "label" with expr if guard, … }`.

use syn::{
    Expr, Ident, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::Errors;
use crate::parse::table::list;
use crate::template::reader::Template;
use crate::values::with::{With, guard, with};

/// A place where the model may choose to go.
#[derive(Debug)]
pub struct Transition {
    pub target: Ident,
    pub label: Option<Template>,
    /// The inputs that it delivers.
    pub with: Option<With>,
    pub guard: Option<Expr>,
}

pub(crate) fn transitions(input: ParseStream<'_>, errors: &Errors) -> Result<Vec<Transition>> {
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
