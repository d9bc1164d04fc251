//! Parses the names of the tools of a source: `[read_file, "list-directory"]`.

use proc_macro2::Span;
use syn::{
    Ident, LitStr, Result, Token, bracketed,
    ext::IdentExt as _,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{list::parse_inside, row::ItemValue},
};

/// A list of names of tools.
#[derive(Debug)]
pub struct ToolNames(pub Vec<ToolName>);

/// The name of a tool: an identifier, or text.
#[derive(Debug)]
pub struct ToolName {
    /// The name.
    pub name: String,
    /// The span of the name.
    pub span: Span,
}

impl Parse for ToolName {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            return Ok(Self { name: text.value(), span: text.span() });
        }
        let name = input.call(Ident::parse_any).map_err(|error| {
            let help = "write a name, or one in quotes: `[read_file, \"list-directory\"]`";
            error_at(error.span(), "expected the name of a tool", help)
        })?;
        Ok(Self { name: name.unraw().to_string(), span: name.span() })
    }
}

impl ItemValue for ToolNames {
    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let content;
        bracketed!(content in input);
        let names = parse_inside(&content, Punctuated::<ToolName, Token![,]>::parse_terminated)?;
        Ok(Self(names.into_iter().collect()))
    }
}
