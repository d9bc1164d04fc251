//! Parses `transitions: { target: "label" with expr if guard, … }`.

use syn::{
    Expr, Ident, Result, Token, braced,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::Errors;
use crate::parse::{list::parse_list, row::ItemValue, value_syntax::ValueSyntax};
use crate::template::syntax::Template;
use crate::values::with::{With, parse_guard, parse_with};

/// A task that the model can choose as the next one.
#[derive(Debug)]
pub struct Transition {
    /// The next task.
    pub target: Ident,
    /// The description of the choice in the prompt.
    pub label: Option<Template>,
    /// The inputs of the next task.
    pub with: Option<With>,
    /// The guard. The transition is not offered if it does not hold.
    pub guard: Option<Expr>,
}

impl ItemValue for Vec<Transition> {
    const SYNTAX: ValueSyntax = ValueSyntax::Transitions;
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
        Ok(Self { target, label, with: parse_with(input)?, guard: parse_guard(input)? })
    }
}
