//! Checks the regular expressions in attributes that are literals.

use regex_syntax::{
    Error,
    ast::{self, ErrorKind},
    hir,
};
use syn::{Expr, LitStr};

use super::{
    attributes::{SourceItem, literal},
    shape::Shape,
};
use cot_syntax::diagnostics::Errors;

/// Checks the regex in `regex(pattern = "…")`.
pub(super) fn check_regex(item: &SourceItem, _: &Shape, errors: &Errors) {
    for part in item.nested() {
        if part.key == "pattern"
            && let Some(pattern) = part.text()
        {
            check(pattern, errors);
        }
    }
}

/// Checks the regex in `pattern("…")`.
pub(super) fn check_pattern(item: &SourceItem, _: &Shape, errors: &Errors) {
    let expression = item.list().and_then(|list| list.parse_args::<Expr>().ok());
    if let Some(pattern) = expression.as_ref().and_then(literal) {
        check(pattern, errors);
    }
}

fn check(literal: &LitStr, errors: &Errors) {
    let pattern = literal.value();
    let Some((problem, at)) = problem(&pattern) else {
        return;
    };
    if problem_remains(&pattern) {
        let piece = pattern.get(at.start.offset..at.end.offset).unwrap_or_default();
        let piece = if piece.is_empty() { String::new() } else { format!(" (`{piece}`)") };
        let column = pattern.get(..at.start.offset).map_or(0, |before| before.chars().count()) + 1;
        errors.add_with_help(
            literal.span(),
            format!("invalid regex at character {column}{piece}: {problem}"),
            "escape a character to match it literally, as in `r\"\\[\"` for `[`",
        );
    }
}

/// Returns the error in a pattern and its position, if any.
fn problem(pattern: &str) -> Option<(String, ast::Span)> {
    match regex_syntax::parse(pattern) {
        Ok(_) => None,
        // JSON Schema supports these.
        Err(Error::Parse(error)) if is_in_json_schema(&error) => None,
        Err(Error::Parse(error)) => Some((error.kind().to_string(), *error.span())),
        // This error concerns only the matching of bytes by the Rust engine.
        Err(Error::Translate(error)) if matches!(error.kind(), hir::ErrorKind::InvalidUtf8) => None,
        Err(Error::Translate(error)) => Some((error.kind().to_string(), *error.span())),
        Err(_) => None,
    }
}

fn is_in_json_schema(error: &ast::Error) -> bool {
    let rest = error.pattern().get(error.span().end.offset..).unwrap_or_default();
    match error.kind() {
        ErrorKind::UnsupportedLookAround | ErrorKind::UnsupportedBackreference => true,
        ErrorKind::EscapeUnrecognized => {
            let escape = error.pattern().get(error.span().start.offset..).unwrap_or_default();
            escape.starts_with(r"\c") && rest.starts_with(|c: char| c.is_ascii_alphabetic())
        }
        _ => false,
    }
}

/// Returns whether a pattern is invalid even if `[`, `&` and `~` in classes are literal. They are in JSON
/// Schema, and are operators in Rust.
fn problem_remains(pattern: &str) -> bool {
    let mut escaped = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                escaped.push('\\');
                escaped.extend(characters.next());
                continue;
            }
            '[' | '&' | '~' if in_class => escaped.push('\\'),
            '[' => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
        escaped.push(character);
    }
    problem(&escaped).is_some()
}
