//! Parses the inputs and the guard of a transition: `with expr`, `with model` and `if guard`.

use proc_macro2::Span;
use syn::{Expr, Ident, Result, Token, parse::ParseStream};

use crate::diagnostics::error_at;

/// The inputs that a transition passes to its target.
#[derive(Debug)]
pub enum With {
    /// `with model`: the model supplies the inputs. Holds the word `model`, for its span.
    Model(Ident),
    /// `with expr`: the expression is evaluated when the transition is taken.
    Expr(Expr),
}

impl With {
    /// Returns the expression, or `None` if the model supplies the inputs.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Model(_) => None,
            Self::Expr(expr) => Some(expr),
        }
    }
}

impl With {
    /// Parses what follows the word `with`, whose span is given for errors.
    fn parse(span: Span, input: ParseStream<'_>) -> Result<Self> {
        let fork = input.fork();
        let is_model = fork.parse::<Ident>().is_ok_and(|word| word == "model");
        if is_model && (fork.is_empty() || fork.peek(Token![,]) || fork.peek(Token![if])) {
            return input.parse().map(Self::Model);
        }
        let bare = input.is_empty() || input.peek(Token![,]) || input.peek(Token![if]);
        // The parser of expressions stops before the `if` of a guard, since no expression continues with
        // `if`.
        let expr = input.parse();
        expr.map(Self::Expr).map_err(|error| if bare { missing_value(span) } else { error })
    }
}

fn missing_value(span: Span) -> syn::Error {
    let help =
        "write `with expression`, or `with model` if the model supplies the inputs of a transition";
    error_at(span, "`with` has no value", help)
}

/// Parses `with …`, if it follows.
pub(crate) fn parse_with(input: ParseStream<'_>) -> Result<Option<With>> {
    if !input.fork().parse::<Ident>().is_ok_and(|word| word == "with") {
        return Ok(None);
    }
    let word: Ident = input.parse()?;
    With::parse(word.span(), input).map(Some)
}

/// Parses `with expression`, if it follows. `model` has no special meaning here.
pub(crate) fn parse_with_expr(input: ParseStream<'_>) -> Result<Option<Expr>> {
    if !input.fork().parse::<Ident>().is_ok_and(|word| word == "with") {
        return Ok(None);
    }
    let word: Ident = input.parse()?;
    let bare = input.is_empty() || input.peek(Token![,]);
    let expr = input.parse();
    expr.map(Some).map_err(|error| {
        let help = "write `with expression`, the initial state of the process";
        if bare { error_at(word.span(), "`with` has no value", help) } else { error }
    })
}

/// Parses `if guard`, if it follows.
pub(crate) fn parse_guard(input: ParseStream<'_>) -> Result<Option<Expr>> {
    match input.parse::<Option<Token![if]>>()? {
        Some(_) => input.parse().map(Some),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use syn::parse::Parser;

    use super::*;
    use crate::{diagnostics::Errors, values::transitions::Transition};

    fn outline(source: &str) -> (String, Option<String>) {
        let read = |input: ParseStream<'_>| Transition::parse(input, &Errors::new());
        let transition = read.parse_str(source).unwrap();
        let with = match transition.with {
            Some(With::Model(word)) => format!("the {word}"),
            Some(With::Expr(expr)) => expr.into_token_stream().to_string(),
            None => "nothing".to_owned(),
        };
        (with, transition.guard.map(|guard| guard.into_token_stream().to_string()))
    }

    #[test]
    fn the_expression_ends_before_the_guard() {
        for (source, with, guard) in [
            ("a", "nothing", None),
            ("a if x", "nothing", Some("x")),
            ("a: \"label\" with 1", "1", None),
            ("a: words with 1 if x", "1", Some("x")),
            ("a with Foo { a: 1 } if x", "Foo { a : 1 }", Some("x")),
            ("a with foo(if a { b } else { c })", "foo (if a { b } else { c })", None),
            ("a with if a { b } else { c } if x", "if a { b } else { c }", Some("x")),
            ("a with a.b::<C, D>() + 1 if x", "a . b :: < C , D > () + 1", Some("x")),
            ("a with model", "the model", None),
            ("a with model if x", "the model", Some("x")),
            ("a with model.name if x", "model . name", Some("x")),
        ] {
            let guard = guard.map(str::to_owned);
            assert_eq!(outline(source), (with.to_owned(), guard), "{source}");
        }
    }
}
