//! Guards that hold only while a count is small.

use proc_macro2::Ident;
use syn::{BinOp, Expr, ExprBinary, ExprLit, ExprMethodCall, ExprUnary, Lit, Member, UnOp};

/// A guard that holds only while a count is below a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CountGuard {
    pub(super) field: Ident,
    /// Whether the length of the field counts, not its value.
    pub(super) is_length: bool,
    /// The smallest count for which it does not hold.
    pub(super) limit: u64,
}

impl CountGuard {
    /// Returns what a guard, which may be `a && b`, says of counts.
    pub(super) fn all_in(guard: Option<&Expr>) -> Vec<Self> {
        let parts = guard
            .map(|guard| operands(guard, |op| matches!(op, BinOp::And(_))))
            .unwrap_or_default();
        parts.into_iter().filter_map(|part| Self::from_comparison(part, false)).collect()
    }

    /// Returns what the negation of a guard, which may be `a || b`, says of counts.
    pub(super) fn all_in_negation(guard: &Expr) -> Vec<Self> {
        let parts = operands(guard, |op| matches!(op, BinOp::Or(_)));
        parts.into_iter().filter_map(|part| Self::from_comparison(part, true)).collect()
    }

    fn from_comparison(expr: &Expr, negated: bool) -> Option<Self> {
        let (left, op, right) = match plain(expr) {
            Expr::Unary(ExprUnary { op: UnOp::Not(_), expr, .. }) => {
                return Self::from_comparison(expr, !negated);
            }
            Expr::Binary(ExprBinary { left, op, right, .. }) => (plain(left), *op, plain(right)),
            _ => return None,
        };
        // The number is moved to the right: `12 > x` is `x < 12`.
        let (count, number, is_swapped) = match (number(left), number(right)) {
            (None, Some(number)) => (left, number, false),
            (Some(number), None) => (right, number, true),
            _ => return None,
        };
        let is_below = match (op, is_swapped) {
            (BinOp::Lt(_), false) | (BinOp::Gt(_), true) => (true, false),
            (BinOp::Le(_), false) | (BinOp::Ge(_), true) => (true, true),
            (BinOp::Ge(_), false) | (BinOp::Le(_), true) => (false, false),
            (BinOp::Gt(_), false) | (BinOp::Lt(_), true) => (false, true),
            _ => return None,
        };
        let (is_below, is_shifted) = is_below;
        let (field, is_length) = counted_field(count)?;
        let limit = number.checked_add(u64::from(is_shifted))?;
        (is_below != negated).then(|| Self { field: field.clone(), is_length, limit })
    }

    /// Returns whether both are about the same count.
    pub(super) fn counts(&self, other: &Self) -> bool {
        self.field == other.field && self.is_length == other.is_length
    }
}

/// Returns the operands of a chain of one operator.
fn operands(expr: &Expr, is_operator: fn(&BinOp) -> bool) -> Vec<&Expr> {
    match plain(expr) {
        Expr::Binary(binary) if is_operator(&binary.op) => {
            let mut all = operands(&binary.left, is_operator);
            all.extend(operands(&binary.right, is_operator));
            all
        }
        other => vec![other],
    }
}

pub(super) fn plain(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => plain(&inner.expr),
        Expr::Group(inner) => plain(&inner.expr),
        other => other,
    }
}

pub(super) fn number(expr: &Expr) -> Option<u64> {
    match plain(expr) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}

/// Returns the field of `state.field` or `state.field.len()`, and whether its length is meant.
fn counted_field(expr: &Expr) -> Option<(&Ident, bool)> {
    match plain(expr) {
        Expr::MethodCall(ExprMethodCall { receiver, method, args, .. })
            if method == "len" && args.is_empty() =>
        {
            Some((state_field(receiver)?, true))
        }
        other => Some((state_field(other)?, false)),
    }
}

/// Returns the field of `state.field`.
pub(super) fn state_field(expr: &Expr) -> Option<&Ident> {
    let Expr::Field(access) = plain(expr) else { return None };
    let Expr::Path(path) = plain(&access.base) else { return None };
    match &access.member {
        Member::Named(name) if path.path.is_ident("state") => Some(name),
        _ => None,
    }
}
