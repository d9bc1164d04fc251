//! Determines how stable the texts of templates are.
//!
//! A prompt cache serves prefixes, so that the order of a prompt depends on what each text reads.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ExprCall, ExprField, Member};

use super::{
    media::called_name,
    process::Model,
    state_uses::StateUses,
    state_writes::Stability,
    uses::{Uses, find_mention},
};
use cot_syntax::{Piece, Template};

/// Names that differ with each visit of a task, beside those of the items of for-each tasks.
const VOLATILE_NAMES: [&str; 4] = ["inputs", "item", "output", "last_output"];

/// Returns how stable the text of an expression in a template is.
pub(crate) fn expr_stability(model: &Model<'_>, expr: &Expr) -> Stability {
    let uses = Uses::from_expr(expr);
    let parts = uses.parts.iter().map(|name| part_stability(model, name));
    let mut stability = parts.max().unwrap_or(Stability::Fixed);
    if stability == Stability::Growing && called_name(expr).is_none_or(|name| name != "part") {
        return Stability::Volatile;
    }
    let is_volatile = VOLATILE_NAMES.iter().any(|name| find_mention(expr, name).is_some());
    if is_volatile || item_names(model).any(|name| uses.may_use(name)) {
        return Stability::Volatile;
    }
    if find_mention(expr, "history").is_some() {
        let whole = names_whole(shown_value(expr), "history");
        stability = stability.max(if whole { Stability::Growing } else { Stability::Volatile });
    }
    if find_mention(expr, "goal").is_some() {
        stability = stability.max(Stability::PerRun);
    }
    if find_mention(expr, "state").is_some() {
        return stability.max(state_stability(model, expr));
    }
    // The result of a function without arguments of the run is unknown.
    let calls = uses.calls.iter().any(|(name, _)| name != "part" && !is_helper(name));
    let is_known = stability > Stability::Fixed || is_plain(shown_value(expr));
    if calls || !is_known && uses.parts.is_empty() { Stability::Volatile } else { stability }
}

/// Returns the names of the items of for-each tasks.
fn item_names<'m>(model: &'m Model<'_>) -> impl Iterator<Item = &'m Ident> {
    let items = model.tasks.iter().filter_map(|task| task.syntax.items.for_each.as_ref());
    items.map(|item| &item.value.item)
}

fn state_stability(model: &Model<'_>, expr: &Expr) -> Stability {
    if let Some(place) = state_place(shown_value(expr)) {
        return model.writes.place(&place);
    }
    let uses = StateUses::from_expr(expr);
    if uses.whole {
        let written = !model.writes.is_empty();
        return if written { Stability::Volatile } else { Stability::PerRun };
    }
    let fields = uses.fields().map(|field| model.writes.place(&[field.to_string()]));
    match fields.max() {
        Some(Stability::PerRun) => Stability::PerRun,
        _ => Stability::Volatile,
    }
}

/// Returns how stable the part that `part(name)` shows is.
fn part_stability(model: &Model<'_>, name: &Expr) -> Stability {
    let Expr::Path(path) = name else { return Stability::Volatile };
    let Some(name) = path.path.get_ident() else { return Stability::Volatile };
    match model.parts.iter().find(|part| part.name == *name) {
        Some(part) if !shows_itself(model, &part.name) => {
            model.text_facts(&part.template, None).stability()
        }
        Some(_) => Stability::Volatile,
        None if name == "goal" => Stability::PerRun,
        None if name == "history" => Stability::Growing,
        None if name == "output" => Stability::Fixed,
        None => Stability::Volatile,
    }
}

/// Returns whether a part shows itself, directly or by another part. That is reported elsewhere.
pub(super) fn shows_itself(model: &Model<'_>, name: &Ident) -> bool {
    let mut seen: Vec<String> = Vec::new();
    let mut next = vec![name.to_string()];
    while let Some(current) = next.pop() {
        let Some(part) = model.parts.iter().find(|part| part.name == current) else { continue };
        let Template::Text(text) = &part.template else { continue };
        let shown = text.pieces.iter().flat_map(|piece| match piece {
            Piece::Expr { expr, .. } => Uses::from_expr(expr).parts,
            Piece::Text(_) => Vec::new(),
        });
        for shown in shown.map(|shown| shown.to_token_stream().to_string()) {
            if *name == shown {
                return true;
            }
            if !seen.contains(&shown) {
                seen.push(shown.clone());
                next.push(shown);
            }
        }
    }
    false
}

/// The helper functions that show a value as a whole, so that a list that grows at its end gives a text that
/// does.
const SHOW_HELPERS: [&str; 5] = ["json", "json_pretty", "list", "image", "document"];

fn is_helper(name: &Ident) -> bool {
    SHOW_HELPERS.iter().any(|helper| name == helper)
}

/// Returns the value that an expression shows as a whole: the argument of a helper, or the expression.
fn shown_value(expr: &Expr) -> &Expr {
    match expr {
        Expr::Call(ExprCall { func, args, .. }) if args.len() == 1 => match &**func {
            Expr::Path(path) if path.path.get_ident().is_some_and(is_helper) => &args[0],
            _ => expr,
        },
        Expr::Reference(reference) => shown_value(&reference.expr),
        Expr::Paren(inner) => shown_value(&inner.expr),
        expr => expr,
    }
}

fn names_whole(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident(name))
}

/// Returns whether an expression is a literal or a path, such as a constant or `task.name`.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(ExprField { base, .. }) => is_plain(base),
        _ => false,
    }
}

/// Returns the names of the fields of a place in the state, from the outermost inward.
fn state_place(expr: &Expr) -> Option<Vec<String>> {
    match expr {
        Expr::Field(ExprField { base, member: Member::Named(name), .. }) => {
            if names_whole(base, "state") {
                return Some(vec![name.to_string()]);
            }
            let mut place = state_place(base)?;
            place.push(name.to_string());
            Some(place)
        }
        Expr::Try(inner) => state_place(&inner.expr),
        Expr::Reference(reference) => state_place(&reference.expr),
        Expr::Paren(inner) => state_place(&inner.expr),
        _ => None,
    }
}
