//! What is wrong in a template, and how to correct it.

use std::str::FromStr;

use proc_macro2::TokenStream;
use syn::Expr;

use crate::template::brackets::Unbalanced;

pub(super) const UNCLOSED: &str = "`${` is never closed";

/// How to close `${`.
pub(super) fn never_closed(inside: &str) -> String {
    match Unbalanced::find(inside) {
        Some(Unbalanced::Text) => {
            "a string inside of it is not closed: write `\"` at its end".to_owned()
        }
        Some(Unbalanced::Mismatch { open, close }) => {
            format!("`{open}` inside of it meets `{close}`: close it before that")
        }
        _ => "close it with `}`; a literal `${` is written `$${`".to_owned(),
    }
}

/// What is wrong with `${code}`, and what to write instead.
pub(super) fn no_expression(code: &str, error: &syn::Error) -> (String, String) {
    if code.trim().is_empty() {
        let help = "write an expression in it; a literal `${` is written `$${`";
        return ("nothing is shown here".to_owned(), help.to_owned());
    }
    let reads = |code: &str| syn::parse_str::<Expr>(code).is_ok();
    if TokenStream::from_str(code).is_err() {
        return no_tokens(code, reads);
    }
    let help = match code.rsplit_once(':') {
        Some((value, format)) if !value.ends_with(':') && reads(value) => {
            format!("to format a value write `${{format!(\"{{:{format}}}\", {value})}}`")
        }
        _ if reads(&format!("{{{code}}}")) => {
            format!("write a block: `${{{{ {} }}}}`", code.trim())
        }
        _ => "`${ … }` holds one Rust expression; a literal `${` is written `$${`".to_owned(),
    };
    (format!("this is not a Rust expression: {error}"), help)
}

/// The same where the code can't even be taken apart into tokens.
fn no_tokens(code: &str, reads: impl Fn(&str) -> bool) -> (String, String) {
    match Unbalanced::find(code) {
        Some(Unbalanced::Open { open, closing }) => {
            let closed = format!("{}{closing}", code.trim_end());
            let help = match reads(&closed) {
                true => format!("did you mean `${{{closed}}}`?"),
                false => format!("write `{closing}` where it ends"),
            };
            (format!("`{open}` is not closed"), help)
        }
        Some(Unbalanced::Mismatch { open, close }) => {
            let message = format!("`{open}` is not closed: `{close}` comes first");
            (message, format!("close `{open}` before that, or remove `{close}`"))
        }
        Some(Unbalanced::Close(close)) => {
            (format!("`{close}` closes nothing"), "remove it, or open it before".to_owned())
        }
        Some(Unbalanced::Text) | None => (
            "this is no Rust: a quote, a number or a character in it can't be read".to_owned(),
            "a text stands in `\"…\"`, one character in `'…'`; a literal `${` is written `$${`"
                .to_owned(),
        ),
    }
}
