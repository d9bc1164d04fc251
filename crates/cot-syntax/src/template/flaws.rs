//! Messages and help texts for invalid expressions in templates.

use std::str::FromStr;

use proc_macro2::TokenStream;
use syn::Expr;

use crate::template::brackets::BracketError;

pub(super) const UNCLOSED: &str = "`${` is never closed";

/// Returns the help text for a `${` without a closing brace.
pub(super) fn explain_unclosed(inside: &str) -> String {
    match BracketError::find(inside) {
        Some(BracketError::UnclosedString) => {
            "a string in it is not closed: add `\"` at its end".to_owned()
        }
        Some(BracketError::Mismatch { open, close }) => {
            format!("`{open}` in it is not closed before `{close}`")
        }
        _ => "close it with `}`; a literal `${` is written `$${`".to_owned(),
    }
}

/// Returns the message and the help text for a `${code}` that is not an expression.
pub(super) fn explain_invalid_expression(code: &str, error: &syn::Error) -> (String, String) {
    if code.trim().is_empty() {
        let help = "write an expression in it; a literal `${` is written `$${`";
        return ("this `${}` is empty".to_owned(), help.to_owned());
    }
    let reads = |code: &str| syn::parse_str::<Expr>(code).is_ok();
    if TokenStream::from_str(code).is_err() {
        return explain_invalid_tokens(code, reads);
    }
    let help = match code.rsplit_once(':') {
        Some((value, format)) if !value.ends_with(':') && reads(value) => {
            format!("to format a value, write `${{format!(\"{{:{format}}}\", {value})}}`")
        }
        _ if reads(&format!("{{{code}}}")) => {
            format!("write a block: `${{{{ {} }}}}`", code.trim())
        }
        _ => "`${ … }` contains one Rust expression; a literal `${` is written `$${`".to_owned(),
    };
    (format!("this is not a Rust expression: {error}"), help)
}

/// Returns the message and the help text for code that can't be split into tokens.
fn explain_invalid_tokens(code: &str, reads: impl Fn(&str) -> bool) -> (String, String) {
    match BracketError::find(code) {
        Some(BracketError::Open { open, closing }) => {
            let closed = format!("{}{closing}", code.trim_end());
            let help = match reads(&closed) {
                true => format!("did you mean `${{{closed}}}`?"),
                false => format!("add `{closing}` where it ends"),
            };
            (format!("`{open}` is not closed"), help)
        }
        Some(BracketError::Mismatch { open, close }) => {
            let message = format!("`{open}` is not closed before `{close}`");
            (message, format!("close `{open}` first, or remove `{close}`"))
        }
        Some(BracketError::Close(close)) => {
            let help = "remove it, or add the opening bracket".to_owned();
            (format!("`{close}` has no opening bracket"), help)
        }
        Some(BracketError::UnclosedString) | None => (
            "this is not Rust: it contains an invalid string, number or character".to_owned(),
            "write a string as `\"…\"` and a character as `'…'`; a literal `${` is written `$${`"
                .to_owned(),
        ),
    }
}
