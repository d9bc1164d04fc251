//! Parses lists: entries separated by commas.

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Result, Token,
    parse::{Parse, ParseStream, discouraged::Speculative},
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
        let (fork, before) = (content.fork(), errors.len());
        match read(&fork).map(|entry| (entry, parse_entry_end(&fork, form))) {
            Ok((entry, Ok(()))) => {
                content.advance_to(&fork);
                entries.push(entry);
            }
            // If another entry follows, only the comma is missing.
            Ok((entry, Err(error))) => {
                errors.push(error);
                let next = fork.fork();
                if read(&next).and_then(|_| parse_entry_end(&next, form)).is_ok() {
                    content.advance_to(&fork);
                    entries.push(entry);
                } else {
                    skip_to_comma(content);
                }
            }
            Err(error) => {
                // After a missing mark, one error is enough.
                if errors.len() == before {
                    errors.push(with_default_help(error, &format!("write `{form}`")));
                }
                skip_to_comma(content);
            }
        }
    }
    entries
}

/// Parses a mark within an entry. If only the mark is missing, that is reported. `form` is the syntax of an entry.
pub(crate) fn parse_mark<M: Parse>(
    input: ParseStream<'_>,
    errors: &Errors,
    form: &str,
) -> Result<()> {
    let fork = input.fork();
    match fork.parse::<M>() {
        Ok(_) => {
            input.advance_to(&fork);
            Ok(())
        }
        Err(error) if input.is_empty() || input.peek(Token![,]) => Err(error),
        Err(error) => {
            errors.push(with_default_help(error, &format!("write `{form}`")));
            // A part of a mark of two characters may be there.
            if input.peek(Token![=]) || input.peek(Token![>]) {
                input.parse::<TokenTree>()?;
            }
            Ok(())
        }
    }
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
    // An expression can continue.
    let can_continue = ["guard", "value", "default"].iter().any(|word| form.contains(word));
    let message = if can_continue { "expected `,` or an operator" } else { "expected `,`" };
    Err(error_at(input.span(), message, help))
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.parse::<Token![,]>().is_ok() || input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
