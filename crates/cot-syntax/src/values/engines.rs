//! Parses engines: `"id"` or `["id", CONSTANT]`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    LitStr, Path, Result, Token, bracketed,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use crate::parse::list::parse_inside;

/// Engines, which are tried in order.
#[derive(Debug)]
pub struct Engines(pub Vec<Engine>);

/// The id of an engine.
#[derive(Debug)]
pub enum Engine {
    /// A literal.
    Id(LitStr),
    /// The path of a constant `&str`.
    Constant(Path),
}

impl Engine {
    /// Returns the name of the engine for messages.
    pub fn name(&self) -> String {
        match self {
            Self::Id(id) => id.value(),
            Self::Constant(path) => path.to_token_stream().to_string().replace(' ', ""),
        }
    }
}

impl Parse for Engine {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        // A value that is neither a string nor a path is reported as an invalid string.
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
        let engines = parse_inside(&content, Punctuated::<Engine, Token![,]>::parse_terminated)?;
        Ok(Self(engines.into_iter().collect()))
    }
}
