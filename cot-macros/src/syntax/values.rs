//! Small values: durations, lists of names, and ids of engines.

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Ident, LitInt, LitStr, Path, Result, Token, Type, bracketed,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use super::items::inside;
use crate::diagnostics::mistake;

/// A duration: an integer with the unit `ms`, `s`, `m` or `h`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seconds(pub(crate) Duration);

impl Parse for Seconds {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let zero = "a limit of 0 lets nothing happen";
        Self::read(input, zero, "give a longer duration, or leave the limit out")
    }
}

impl Seconds {
    /// How long to wait.
    pub(super) fn wait(input: ParseStream<'_>) -> Result<Self> {
        Self::read(input, "a wait of 0 is none", "give a longer duration, or remove `wait`")
    }

    fn read(input: ParseStream<'_>, zero: &str, help: &str) -> Result<Self> {
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
            return Err(mistake(span, zero, help));
        }
        let total = number.checked_mul(milliseconds).ok_or_else(wrong)?;
        Ok(Self(Duration::from_millis(total)))
    }
}

/// A type.
pub(super) fn ty(input: ParseStream<'_>) -> Result<Type> {
    let error = syn::Error::new(input.span(), "expected a type");
    input.parse().map_err(|_| error)
}

/// The name of a function.
pub(super) fn function(input: ParseStream<'_>) -> Result<Path> {
    let error = syn::Error::new(input.span(), "expected the name of a function");
    input.parse().map_err(|_| error)
}

/// `[a, b, c]`: names of tasks.
#[derive(Debug)]
pub(crate) struct Names(pub(crate) Vec<Ident>);

impl Parse for Names {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let content;
        bracketed!(content in input);
        let names = inside(&content, Punctuated::<Ident, Token![,]>::parse_terminated)?;
        Ok(Self(names.into_iter().collect()))
    }
}

/// `"id"`, or `["id", "id"]`: engines, tried in order.
#[derive(Debug)]
pub(crate) struct Engines(pub(crate) Vec<Engine>);

/// The id of an engine.
#[derive(Debug)]
pub(crate) enum Engine {
    Id(LitStr),
    /// A constant `&str`.
    Constant(Path),
}

impl Engine {
    /// The engine as messages name it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Id(id) => id.value(),
            Self::Constant(path) => path.to_token_stream().to_string().replace(' ', ""),
        }
    }
}

impl Parse for Engine {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        // What is no path either is a wrong id.
        if input.peek(LitStr) || input.fork().parse::<Path>().is_err() {
            return input.parse().map(Self::Id);
        }
        input.parse().map(Self::Constant)
    }
}

impl ToTokens for Engine {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Id(id) => id.to_tokens(tokens),
            Self::Constant(path) => path.to_tokens(tokens),
        }
    }
}

impl Parse for Engines {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if !input.peek(syn::token::Bracket) {
            return Ok(Self(vec![input.parse()?]));
        }
        let content;
        bracketed!(content in input);
        let engines = inside(&content, Punctuated::<Engine, Token![,]>::parse_terminated)?;
        Ok(Self(engines.into_iter().collect()))
    }
}
