//! Parses the functions that receive an output: `check` and `process_output`.

use proc_macro2::TokenTree;
use syn::{
    Path, Result, Token,
    parse::{Parse, ParseStream},
};

use crate::{
    diagnostics::{Errors, with_default_help},
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
    /// The function, unless it is missing, which has been reported.
    pub path: Option<Path>,
    /// The tasks between which the function chooses.
    pub choices: Option<TaskList>,
}

impl Parse for Check {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { is_async: input.parse()?, path: parse_function(input)? })
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

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let form =
            "write `process_output: function`, or `process_output: function -> [task, task]`";
        // The tasks are known even without the function.
        let path = match parse_function(&input.fork()) {
            Ok(_) => Some(parse_function(input)?),
            Err(error) if input.peek(Token![->]) => {
                errors.push(with_default_help(error, form));
                None
            }
            Err(error) => return Err(error),
        };
        let has_part = input.peek(Token![-]) || input.peek(Token![>]);
        let choices = match input.parse::<Option<Token![->]>>()? {
            None if !has_part => None,
            arrow => {
                if arrow.is_none() {
                    let message = "expected `->` before the tasks";
                    errors.add_with_help(input.span(), message, form);
                    input.parse::<TokenTree>()?;
                }
                Some(TaskList::parse(input, errors, |error| with_default_help(error, form))?)
            }
        };
        Ok(Self { path, choices })
    }
}
