//! The parts that `prompts` declares.

use proc_macro2::{Ident, Span};
use syn::Expr;

use super::words::{Mistake, STANDARD_PARTS};
use crate::model::{Model, Role, Uses};
use cot_syntax::{
    Piece, Template,
    diagnostics::{Errors, one_of, suggest},
};

/// The items that hold templates, in a process or a task.
const SHOWING: &[&str] = &[
    "goal",
    "intro",
    "system",
    "prompts",
    "primers",
    "task",
    "prompt",
    "full_prompt",
    "reason",
    "ask",
    "errors_primer",
    "transitions",
    "fail",
];

/// A part is shown somewhere, unless its name begins with `_`.
pub(super) fn check_parts_are_used(model: &Model<'_>, errors: &Errors) {
    let templates = model.templates();
    let hidden = templates.iter().any(|use_| matches!(use_.template, Template::Function(_)));
    let flawed = templates.iter().any(|use_| has_flaws(use_.template));
    let broken = model.tasks.iter().any(|task| task.syntax.invalid.any(SHOWING));
    if hidden || flawed || broken || model.syntax.invalid.any(SHOWING) {
        return;
    }
    for (index, part) in model.parts.iter().enumerate() {
        let elsewhere = templates.iter().filter(|use_| use_.part != Some(index));
        let mut shown = elsewhere.flat_map(|use_| parts_in(use_.template));
        let misspelled = |name: &Ident| nearest_part(model, name) == Some(index);
        if !part.name.to_string().starts_with('_') && !shown.any(|name| misspelled(&name)) {
            errors.error_with_help(
                part.name.span(),
                format!("part `{}` is never shown", part.name),
                format!("show it with `${{part({0})}}`, or call it `_{0}`", part.name),
            );
        }
    }
}

/// A part leaves the names of the standard parts alone.
pub(super) fn check_part_names_are_free(model: &Model<'_>, errors: &Errors) {
    for part in model.parts.iter().filter(|part| is_standard(&part.name)) {
        errors.error_with_help(
            part.name.span(),
            format!("`{}` is the name of a standard part", part.name),
            "every prompt has this part already: give yours another name",
        );
    }
}

/// Parts do not contain each other.
pub(super) fn check_parts_are_not_circular(model: &Model<'_>, errors: &Errors) {
    let mut reported: Vec<usize> = Vec::new();
    for start in 0..model.parts.len() {
        let Some(circle) = circle(model, start) else {
            continue;
        };
        if circle.iter().any(|index| reported.contains(index)) {
            continue;
        }
        let names = circle.iter().map(|&index| &model.parts[index].name);
        let message = match circle.len() {
            1 => format!("part {} contains itself", one_of(names)),
            _ => format!("parts {} contain each other", one_of(names)),
        };
        errors.error_with_help(
            model.parts[start].name.span(),
            message,
            "a part can show only parts that do not lead back to it",
        );
        reported.extend(circle);
    }
}

/// The parts on a way from a part back to itself.
fn circle(model: &Model<'_>, start: usize) -> Option<Vec<usize>> {
    let mut ways = vec![vec![start]];
    let mut seen = Vec::new();
    while let Some(way) = ways.pop() {
        let last = *way.last()?;
        for next in parts_in(&model.parts[last].template) {
            let Some(next) = model.parts.iter().position(|part| part.name == next) else {
                continue;
            };
            if next == start {
                return Some(way);
            }
            if !seen.contains(&next) {
                seen.push(next);
                ways.push(way.iter().copied().chain([next]).collect());
            }
        }
    }
    None
}

/// Whether it can't be known which parts a template shows.
fn has_flaws(template: &Template) -> bool {
    let Template::Text(text) = template else { return false };
    let unclear = |piece: &Piece| match piece {
        Piece::Text(_) => false,
        Piece::Shown { expr, .. } => {
            let uses = Uses::of(expr);
            uses.calls_in_macros.iter().any(|name| name == "part")
                || uses.parts.iter().any(|argument| part_name(argument).is_none())
        }
    };
    !text.flaws.is_empty() || text.pieces.iter().any(unclear)
}

/// The names of the parts that a template shows itself.
pub(super) fn parts_in(template: &Template) -> Vec<Ident> {
    let Template::Text(text) = template else {
        return Vec::new();
    };
    let shown = text.pieces.iter().filter_map(|piece| match piece {
        Piece::Shown { expr, .. } => Some(expr),
        Piece::Text(_) => None,
    });
    shown.flat_map(|expr| Uses::of(expr).parts).filter_map(|expr| part_name(&expr)).collect()
}

/// The name in `part(name)`.
pub(super) fn part_name(argument: &Expr) -> Option<Ident> {
    match argument {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// What is wrong with the argument of `part(…)`.
pub(super) fn unknown_part(model: &Model<'_>, argument: &Expr, role: Role) -> Option<Mistake> {
    let Some(name) = part_name(argument) else {
        let help = "write `part(name)`, with a name that `prompts` declares";
        return Some(Mistake::new(Span::call_site(), "`part` takes the name of a part", help));
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
        None => unknown_part_help(model, &name, role),
    };
    Some(Mistake::new(name.span(), format!("no part `{name}`"), help))
}

fn unknown_part_help(model: &Model<'_>, name: &Ident, role: Role) -> String {
    let near = suggest(&name.to_string(), STANDARD_PARTS.iter().copied());
    match near.filter(|_| matches!(role, Role::Full(_))) {
        Some(near) => format!("did you mean `{near}`?"),
        None if model.parts.is_empty() => format!("declare it: `prompts: {{ {name}: \"…\" }}`"),
        None => format!("`prompts` declares {}", one_of(model.parts.iter().map(|part| &part.name))),
    }
}

pub(super) fn is_standard(name: &Ident) -> bool {
    STANDARD_PARTS.iter().any(|standard| name == standard)
}

/// The part that a name means, or probably means.
pub(super) fn nearest_part(model: &Model<'_>, name: &Ident) -> Option<usize> {
    let names: Vec<_> = model.parts.iter().map(|part| part.name.to_string()).collect();
    let word = name.to_string();
    let find = |wanted: &str| names.iter().position(|name| name == wanted);
    find(&word).or_else(|| find(suggest(&word, names.iter().map(String::as_str))?))
}
