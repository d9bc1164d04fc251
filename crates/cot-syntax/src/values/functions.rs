//! Parses the functions that receive an output: `check` and `process_output`.

use syn::{
    Path, Result, Token,
    parse::{Parse, ParseStream},
};

use crate::{
    diagnostics::Errors,
    parse::{row::ItemValue, value_syntax::ValueSyntax},
    values::plain::{TaskList, parse_function},
};

/// The value of `check`: `path` or `async path`.
#[derive(Debug)]
pub struct Check {
    /// The keyword `async`, if the function is async.
    pub is_async: Option<Token![async]>,
    /// The function.
    pub path: Path,
}

/// The value of `process_output`: `path` or `path -> [a, b]`.
#[derive(Debug)]
pub struct ProcessOutput {
    /// The function.
    pub path: Path,
    /// The tasks between which the function chooses.
    pub choices: Option<TaskList>,
}

impl Parse for Check {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { is_async: input.parse()?, path: parse_function(input)? })
    }
}

impl Parse for ProcessOutput {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path = parse_function(input)?;
        let choices = match input.parse::<Option<Token![->]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { path, choices })
    }
}

impl ItemValue for Check {
    const SYNTAX: ValueSyntax = ValueSyntax::Function;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }
}

impl ItemValue for ProcessOutput {
    const SYNTAX: ValueSyntax = ValueSyntax::Choice;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }
}
