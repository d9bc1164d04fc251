//! Parses names: the tools of a source, `all` or `[read_file, "list-directory"]`, and the arguments in `[body, subject]`.

use proc_macro2::Span;
use syn::{
    Ident, LitStr, Result, Token, bracketed,
    ext::IdentExt as _,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{item::Slot, list::parse_inside, row::ItemValue, value_syntax::ValueSyntax},
};

/// The tools of a source that can be called.
#[derive(Debug)]
pub enum ToolSelection {
    /// `all`: those that the source has when the program runs.
    All,
    /// The names.
    Named(Vec<ToolName>),
}

/// The name of a tool: an identifier, or text.
#[derive(Debug)]
pub struct ToolName {
    /// The name.
    pub name: String,
    /// The span of the name.
    pub span: Span,
}

/// Names in brackets, such as those of arguments.
#[derive(Debug)]
pub struct Names(pub Vec<Ident>);

impl Names {
    /// Returns whether a list has a name.
    pub fn lists(names: &Slot<Self>, name: &str) -> bool {
        names.iter().flat_map(|item| &item.value.0).any(|listed| listed == name)
    }
}

impl ItemValue for Names {
    const SYNTAX: ValueSyntax = ValueSyntax::ToolNames;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let content;
        bracketed!(content in input);
        let names = parse_inside(&content, Punctuated::<Ident, Token![,]>::parse_terminated)?;
        Ok(Self(names.into_iter().collect()))
    }
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

impl ItemValue for ToolSelection {
    const SYNTAX: ValueSyntax = ValueSyntax::ToolNames;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        if input.peek(Ident::peek_any) {
            let word = input.call(Ident::parse_any)?;
            let help = format!("write the names in brackets, `only: [{word}]`, or `only: all`");
            let wrong = || error_at(word.span(), "expected names of tools, or `all`", &*help);
            return (word == "all").then_some(Self::All).ok_or_else(wrong);
        }
        let content;
        bracketed!(content in input);
        let names = parse_inside(&content, Punctuated::<ToolName, Token![,]>::parse_terminated)?;
        Ok(Self::Named(names.into_iter().collect()))
    }
}
