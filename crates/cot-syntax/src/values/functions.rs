//! Functions that are called with an output: `check` and `process_output`.

use syn::{
    Path, Result, Token,
    parse::{Parse, ParseStream},
};

use crate::{
    diagnostics::Errors,
    parse::row::ItemValue,
    values::plain::{Names, parse_function},
};

/// `path`, or `async path`.
#[derive(Debug)]
pub struct Check {
    /// The word `async`.
    pub is_async: Option<Token![async]>,
    /// The function.
    pub path: Path,
}

/// `path`, or `path -> [a, b]`.
#[derive(Debug)]
pub struct ProcessOutput {
    /// The function.
    pub path: Path,
    /// The tasks that it can choose.
    pub choices: Option<Names>,
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
    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }
}

impl ItemValue for ProcessOutput {
    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }
}
