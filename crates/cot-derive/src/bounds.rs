//! Checks the bounds of `length` and `range` that are literals.

use std::{cmp::Ordering, fmt};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Lit, UnOp};

use super::{
    attributes::{SourceItem, literal},
    shape::Shape,
};
use cot_syntax::diagnostics::Errors;

/// The value of a literal bound.
#[derive(Debug, Clone, Copy)]
enum Bound {
    Integer(i128),
    Float(f64),
}

/// Checks that `length` allows a value and has no negative bound.
pub(super) fn check_length(item: &SourceItem, _: &Shape, errors: &Errors) {
    for (expression, bound) in bounds(item).iter().filter_map(known) {
        if matches!(bound, Bound::Integer(below) if below < 0) {
            errors.add_over_with_help(
                expression,
                format!("a length can't be {bound}"),
                "the minimum length is 0",
            );
        }
    }
    check_room(item, errors);
}

/// Checks that `range` allows a value and that its bounds fit the integer type.
pub(super) fn check_range(item: &SourceItem, shape: &Shape, errors: &Errors) {
    if let Shape::Integer(integer) = shape {
        for (expression, bound) in bounds(item).iter().filter_map(known) {
            let Bound::Integer(value) = bound else {
                continue;
            };
            if value < integer.min || value > integer.max {
                errors.add_over_with_help(
                    expression,
                    format!("{bound} is out of range for `{}`", integer.name),
                    format!("`{}` ranges from {} to {}", integer.name, integer.min, integer.max),
                );
            }
        }
    }
    check_room(item, errors);
}

/// Returns the minimum and the maximum of a `range` as expressions of type `Option<&str>`.
pub(super) fn range_texts(item: &SourceItem) -> (TokenStream, TokenStream) {
    let bounds = bounds(item);
    let text = |key: &str| {
        let Some(bound) = bounds.iter().find(|bound| bound.key == key) else {
            return quote!(::core::option::Option::None);
        };
        let text = known(bound).map(|(_, number)| number.to_string().into_token_stream());
        let text = text.or_else(|| {
            let value = bound.value()?;
            let value = match literal(value) {
                Some(text) => text.parse::<Expr>().ok()?,
                None => value.clone(),
            };
            Some(quote!(&::std::string::ToString::to_string(&(#value))))
        });
        match text {
            Some(text) => quote!(::core::option::Option::Some(#text)),
            None => quote!(::core::option::Option::None),
        }
    };
    (text("min"), text("max"))
}

/// Checks that `min` is not greater than `max`.
fn check_room(item: &SourceItem, errors: &Errors) {
    let bounds = bounds(item);
    let bound = |key: &str| {
        let found = bounds.iter().find(|bound| bound.key == key);
        found.and_then(known).map(|(_, number)| number)
    };
    let (Some(min), Some(max), Some(list)) = (bound("min"), bound("max"), item.list()) else {
        return;
    };
    if min.compare(max) == Some(Ordering::Greater) {
        errors.add_over_with_help(
            &list.tokens,
            format!("no value is at least {min} and at most {max}"),
            format!(
                "`min` must not be greater than `max`; did you mean `min = {max}, max = {min}`?"
            ),
        );
    }
}

/// Returns the items `min`, `max` and `equal` in a constraint.
fn bounds(item: &SourceItem) -> Vec<SourceItem> {
    let mut bounds = item.nested();
    bounds.retain(|bound| ["min", "max", "equal"].iter().any(|key| bound.key == key));
    bounds
}

fn known(bound: &SourceItem) -> Option<(&Expr, Bound)> {
    let expression = bound.value()?;
    // `schemars` also reads an expression that is written in a string.
    let number = match literal(expression) {
        Some(text) => number(&text.parse().ok()?),
        None => number(expression),
    };
    Some((expression, number?))
}

fn number(expression: &Expr) -> Option<Bound> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(integer) => integer.base10_parse().ok().map(Bound::Integer),
            Lit::Float(float) => float.base10_parse().ok().map(Bound::Float),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            Some(number(&unary.expr)?.negated())
        }
        Expr::Group(group) => number(&group.expr),
        Expr::Paren(paren) => number(&paren.expr),
        _ => None,
    }
}

impl Bound {
    fn negated(self) -> Self {
        match self {
            Self::Integer(value) => Self::Integer(value.saturating_neg()),
            Self::Float(value) => Self::Float(-value),
        }
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => Some(left.cmp(&right)),
            (left, right) => left.as_float().partial_cmp(&right.as_float()),
        }
    }

    fn as_float(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => write!(f, "{value:?}"),
        }
    }
}
