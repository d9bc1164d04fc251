//! Templates as written: a text, a file of such text, or a function.

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

/// What stands where text is wanted.
#[derive(Debug)]
pub enum Template {
    /// A string, or a file.
    Text(TemplateText),
    /// `fn(&Scope<P>) -> String`.
    Function(Path),
}

impl Parse for Template {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            let source = literal.value();
            let text = read_text(literal, source, false);
            return if is_cut_off(&text, input) {
                Err(cut_off(&text))
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
    /// An empty template in the place of one whose mistake has been reported.
    pub(crate) fn unreadable(span: Span) -> Self {
        Self::Text(read_text(LitStr::new("", span), String::new(), false))
    }
}

/// Returns whether something is left open, and what follows can't stand behind a template.
fn is_cut_off(text: &TemplateText, input: ParseStream<'_>) -> bool {
    let goes_on = |word: Ident| word == "with" || word == "if";
    let follows = input.is_empty()
        || input.peek(Token![,])
        || input.fork().call(Ident::parse_any).is_ok_and(goes_on);
    let open = text.flaws.last().is_some_and(|flaw| flaw.message == UNCLOSED);
    // A word right behind the quote has become a suffix of the string.
    open && (!follows || !text.literal.suffix().is_empty())
}

/// A `"` inside of `${ … }` has ended the string.
fn cut_off(text: &TemplateText) -> syn::Error {
    error_at(
        text.literal.span(),
        "this string ends inside of `${ … }`",
        "write `\\\"` for a quote inside of it, or the template as a raw string: `r#\"…\"#`",
    )
}
