//! Parses lists: entries separated by commas.

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Result, Token,
    parse::{ParseStream, discouraged::Speculative},
};

use crate::diagnostics::{Errors, error_at, with_default_help};

/// Parses the entries of `{ entry, entry, … }`. An invalid entry is reported and skipped.
pub(crate) fn parse_list<T>(
    content: ParseStream<'_>,
    errors: &Errors,
    form: &str,
    read: impl Fn(ParseStream<'_>) -> Result<T>,
) -> Vec<T> {
    let mut entries = Vec::new();
    while !content.is_empty() {
        let fork = content.fork();
        match read(&fork).and_then(|entry| parse_entry_end(&fork, form).map(|()| entry)) {
            Ok(entry) => {
                content.advance_to(&fork);
                entries.push(entry);
            }
            Err(error) => {
                errors.push(with_default_help(error, &format!("write `{form}`")));
                skip_to_comma(content);
            }
        }
    }
    entries
}

/// Parses the content of brackets. After an error the rest of the content is skipped: unparsed tokens would
/// make `syn` report a second error and stop parsing the process.
pub(crate) fn parse_inside<T>(
    content: ParseStream<'_>,
    read: impl FnOnce(ParseStream<'_>) -> Result<T>,
) -> Result<T> {
    let result = read(content);
    if result.is_err() {
        content.parse::<TokenStream>()?;
    }
    result
}

fn parse_entry_end(input: ParseStream<'_>, form: &str) -> Result<()> {
    if input.is_empty() || input.parse::<Token![,]>().is_ok() {
        return Ok(());
    }
    let help = format!("write `{form}`; entries are separated by commas");
    Err(error_at(input.span(), "expected `,`", help))
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.parse::<Token![,]>().is_ok() || input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
