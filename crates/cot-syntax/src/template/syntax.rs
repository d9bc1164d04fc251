//! Parses templates: a text, a file of such text, or a function.

use proc_macro2::Span;
use syn::{
    Ident, LitStr, Path, Result, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use crate::{
    diagnostics::error_at,
    template::{flaws::UNCLOSED, include::read_included, piece::TemplateText, reader::read_text},
};

/// A template, which produces text when a prompt is built.
#[derive(Debug)]
pub enum Template {
    /// A string or an included file.
    Text(TemplateText),
    /// The path of a function `fn(&Scope<P>) -> String`.
    Function(Path),
}

impl Parse for Template {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            let source = literal.value();
            let text = read_text(literal, source, false);
            return if is_cut_off(&text, input) {
                Err(cut_off_error(&text))
            } else {
                Ok(Self::Text(text))
            };
        }
        let fork = input.fork();
        if fork.call(Ident::parse_any).is_ok_and(|word| word == "include") && fork.peek(LitStr) {
            input.call(Ident::parse_any)?;
            let literal: LitStr = input.parse()?;
            let source = read_included(&literal)?;
            return Ok(Self::Text(read_text(literal, source, true)));
        }
        if input.fork().parse::<Path>().is_ok() {
            return input.parse().map(Self::Function);
        }
        Err(error_at(
            input.span(),
            "expected a template",
            "write a string, `include \"file\"`, or the name of a function `fn(&Scope<P>) -> String`",
        ))
    }
}

impl Template {
    /// Creates an empty template to replace an invalid one that has been reported.
    pub(crate) fn placeholder(span: Span) -> Self {
        Self::Text(read_text(LitStr::new("", span), String::new(), false))
    }
}

/// Returns whether a `"` inside `${ … }` has ended the string: `${` is unclosed, and the next token can't
/// follow a template.
fn is_cut_off(text: &TemplateText, input: ParseStream<'_>) -> bool {
    let continues = |word: Ident| word == "with" || word == "if";
    let follows = input.is_empty()
        || input.peek(Token![,])
        || input.fork().call(Ident::parse_any).is_ok_and(continues);
    let open = text.flaws.last().is_some_and(|flaw| flaw.message == UNCLOSED);
    // The lexer reads a word directly after the quote as a suffix of the string.
    open && (!follows || !text.literal.suffix().is_empty())
}

/// Creates the error for a string that ends inside `${ … }`.
fn cut_off_error(text: &TemplateText) -> syn::Error {
    error_at(
        text.literal.span(),
        "this string ends inside `${ … }`",
        "write `\\\"` for a quote in it, or write the template as a raw string: `r#\"…\"#`",
    )
}
