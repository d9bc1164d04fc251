//! Parses `transitions: { target: "label" with expr if guard, … }`.

use syn::{Expr, Ident, LitStr, Result, Token, braced, parse::ParseStream};

use crate::diagnostics::Errors;
use crate::parse::{
    list::{parse_list, parse_mark},
    row::ItemValue,
    value_syntax::ValueSyntax,
};
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
        Ok(parse_list(&content, errors, FORM, |input| Transition::parse(input, errors)))
    }
}

const FORM: &str = "task: \"label\" with inputs if guard";

impl Transition {
    pub(super) fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let target = input.parse()?;
        let label = if input.peek(Token![:]) || input.peek(LitStr) {
            parse_mark::<Token![:]>(input, errors, FORM)?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Self { target, label, with: parse_with(input)?, guard: parse_guard(input)? })
    }
}
