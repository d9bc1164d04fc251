//! Checks the parts that templates show.

use cot_syntax::{
    Piece, STANDARD_PARTS, Template,
    diagnostics::{join_names, suggest},
};
use proc_macro2::{Ident, Span};
use syn::Expr;

use super::diagnostic::Diagnostic;
use crate::model::{Model, Role, Uses};

/// Returns the names of the parts that a template shows directly.
pub(super) fn parts_in(template: &Template) -> Vec<Ident> {
    let Template::Text(text) = template else {
        return Vec::new();
    };
    let shown = text.pieces.iter().filter_map(|piece| match piece {
        Piece::Expr { expr, .. } => Some(expr),
        Piece::Text(_) => None,
    });
    shown.flat_map(|expr| Uses::from_expr(expr).parts).filter_map(|expr| part_name(&expr)).collect()
}

/// Returns the name in `part(name)`.
pub(super) fn part_name(argument: &Expr) -> Option<Ident> {
    match argument {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// Returns the error in the argument of `part(…)`, if any.
pub(super) fn unknown_part(model: &Model<'_>, argument: &Expr, role: Role) -> Option<Diagnostic> {
    let Some(name) = part_name(argument) else {
        let help = "write `part(name)`, with a name that `prompts` declares";
        return Some(Diagnostic::new(Span::call_site(), "`part` takes the name of a part", help));
    };
    let standard = is_standard(&name);
    if model.parts.iter().any(|part| part.name == name)
        || (standard && matches!(role, Role::Full(_)))
    {
        return None;
    }
    let near = nearest_part(model, &name).map(|index| &model.parts[index].name);
    let help = match near {
        _ if standard => "it is a standard part, which only a `full_prompt` can show".to_owned(),
        Some(near) => format!("did you mean `{near}`?"),
        // An invalid part may have this name.
        None if model.syntax.invalid.may_include(&["prompts"]) => return None,
        None => unknown_part_help(model, &name, role),
    };
    Some(Diagnostic::new(name.span(), format!("no part `{name}`"), help))
}

fn unknown_part_help(model: &Model<'_>, name: &Ident, role: Role) -> String {
    let near = suggest(&name.to_string(), STANDARD_PARTS);
    match near.filter(|_| matches!(role, Role::Full(_))) {
        Some(near) => format!("did you mean `{near}`?"),
        None if model.parts.is_empty() => format!("declare it: `prompts: {{ {name}: \"…\" }}`"),
        None => {
            format!("`prompts` declares {}", join_names(model.parts.iter().map(|part| &part.name)))
        }
    }
}

pub(super) fn is_standard(name: &Ident) -> bool {
    STANDARD_PARTS.iter().any(|standard| name == standard)
}

/// Returns the index of the part with a name, or of the part with the most similar name.
pub(super) fn nearest_part(model: &Model<'_>, name: &Ident) -> Option<usize> {
    let names: Vec<_> = model.parts.iter().map(|part| part.name.to_string()).collect();
    let word = name.to_string();
    let find = |wanted: &str| names.iter().position(|name| name == wanted);
    find(&word).or_else(|| find(suggest(&word, names.iter().map(String::as_str))?))
}
