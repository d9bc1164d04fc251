//! Small values: durations and lists of names.

use std::time::Duration;

use syn::{
    Ident, LitInt, Result, Token, bracketed,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use crate::diagnostics::mistake;

/// A duration: an integer with the unit `ms`, `s`, `m` or `h`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seconds(pub(crate) Duration);

impl Parse for Seconds {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const HELP: &str = "write a duration as `500ms`, `30s`, `10m` or `2h`";
        let span = input.span();
        let wrong = || mistake(span, "expected a duration", HELP);
        let literal: LitInt = input.parse().map_err(|_| wrong())?;
        let number: u64 = literal.base10_parse().map_err(|_| wrong())?;
        let milliseconds = match literal.suffix() {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return Err(wrong()),
        };
        if number == 0 {
            return Err(mistake(
                span,
                "a limit of 0 lets nothing happen",
                "give a longer duration, or leave the limit out",
            ));
        }
        let total = number.checked_mul(milliseconds).ok_or_else(wrong)?;
        Ok(Self(Duration::from_millis(total)))
    }
}

/// `[a, b, c]`: names of tasks.
#[derive(Debug)]
pub(crate) struct Names(pub(crate) Vec<Ident>);

impl Parse for Names {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let content;
        bracketed!(content in input);
        let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
        Ok(Self(names.into_iter().collect()))
    }
}
