//! Parses `process Name { … }`.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::{
    Attribute, Ident, Result, Visibility, braced,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    token,
};

use crate::{
    diagnostics::{Errors, error_at},
    items::process::ProcessItems,
    parse::{item::InvalidItems, table::require_docs},
};

/// A parsed process.
#[derive(Debug)]
pub struct Process {
    /// The doc comments and lint attributes.
    pub attributes: Vec<Attribute>,
    /// The visibility of the generated types.
    pub visibility: Visibility,
    /// The name.
    pub name: Ident,
    /// The items.
    pub items: ProcessItems,
    /// The items that could not be parsed.
    pub invalid: InvalidItems,
}

const FORM: &str = "write `pub process Name { state: …, task … }`";

/// Parses a process and reports the errors in it. Returns `None` if the name or the braces are missing.
pub fn parse(input: TokenStream, errors: &Errors) -> Option<Process> {
    let mut process = None;
    let parser = |input: ParseStream<'_>| {
        process = Some(Process::parse(input, errors)?);
        Ok(())
    };
    if let Err(error) = parser.parse2(input) {
        // `syn` refuses input that was not parsed to its end, such as the rest of an invalid expression, which
        // has been reported.
        if process.is_none() || errors.is_empty() {
            errors.push(error);
        }
    }
    process
}

/// Returns whether an attribute sets a lint level, as `#[allow(deprecated)]` does.
pub fn is_lint_level(attribute: &Attribute) -> bool {
    ["allow", "warn", "deny", "forbid"].iter().any(|level| attribute.path().is_ident(level))
}

impl Process {
    fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        require_docs(attributes.iter().filter(|attribute| !is_lint_level(attribute)))?;
        let visibility = input.parse()?;
        if input.peek(token::Paren) {
            let help = "write `pub`, `pub(crate)`, `pub(super)` or `pub(in path)`";
            errors.add_with_help(input.span(), "expected `crate`, `super` or `in path`", help);
            input.parse::<TokenTree>()?;
        }
        let name = parse_name(input, errors)?;
        let content;
        braced!(content in input);
        let mut items = ProcessItems::default();
        let (keys, mut invalid) = ProcessItems::TABLE.read(&mut items, &content, errors);
        if !items.order_tasks(&keys) {
            invalid.push(Some("task"));
        }
        if !input.is_empty() {
            errors.add_with_help(
                input.span(),
                "unexpected token after the process",
                "each `cot_process! { … }` declares one process",
            );
            input.parse::<TokenStream>()?;
        }
        Ok(Self { attributes, visibility, name, items, invalid })
    }
}

/// Parses `process Name`, up to the braces. If only the word `process` is missing, that is reported.
fn parse_name(input: ParseStream<'_>, errors: &Errors) -> Result<Ident> {
    let keyword = input.call(Ident::parse_any).map_err(|error| expected_process(error.span()))?;
    if keyword != "process" {
        if input.peek(token::Brace) {
            let help = format!("write `process {keyword} {{ … }}`");
            errors.add_with_help(keyword.span(), "expected `process` before the name", help);
            return Ok(keyword);
        }
        return Err(expected_process(keyword.span()));
    }
    let at = |span: Span| if input.is_empty() { keyword.span() } else { span };
    let name = input.parse().map_err(|error: syn::Error| {
        error_at(at(error.span()), "expected the name of the process", FORM)
    })?;
    if input.peek(token::Brace) {
        return Ok(name);
    }
    let help = "write `process Name { … }`, without parameters";
    Err(error_at(at(input.span()), "expected `{` after the name", help))
}

fn expected_process(span: Span) -> syn::Error {
    error_at(span, "expected a process", FORM)
}
