//! Checks the parts that `prompts` declares.

use super::shown_parts::{is_standard, nearest_part, part_name, parts_in};
use crate::model::{Model, Uses};
use cot_syntax::{
    Piece, ProcessItems, Table, TaskItems, Template,
    diagnostics::{Errors, join_names},
};
use proc_macro2::Ident;

/// Checks that every part is shown, unless its name begins with `_`.
pub(super) fn check_parts_are_used(model: &Model<'_>, errors: &Errors) {
    let templates = model.templates();
    let hidden = templates.iter().any(|use_| matches!(use_.template, Template::Function(_)));
    let flawed = templates.iter().any(|use_| has_unknown_parts(use_.template));
    if hidden || flawed || has_hidden_templates(model) {
        return;
    }
    for (index, part) in model.parts.iter().enumerate() {
        let elsewhere = templates.iter().filter(|use_| use_.part != Some(index));
        let mut shown = elsewhere.flat_map(|use_| parts_in(use_.template));
        let misspelled = |name: &Ident| nearest_part(model, name) == Some(index);
        if !part.name.to_string().starts_with('_') && !shown.any(|name| misspelled(&name)) {
            errors.add_with_help(
                part.name.span(),
                format!("part `{}` is never shown", part.name),
                format!("show it with `${{part({0})}}`, or call it `_{0}`", part.name),
            );
        }
    }
}

/// Returns whether an invalid item may contain templates.
fn has_hidden_templates(model: &Model<'_>) -> bool {
    let of_process = keys_of_templates(ProcessItems::TABLE);
    let of_tasks = keys_of_templates(TaskItems::TABLE);
    model.syntax.invalid.may_include(&of_process)
        || model.tasks.iter().any(|task| task.syntax.invalid.may_include(&of_tasks))
}

fn keys_of_templates<N>(table: &Table<N>) -> Vec<&'static str> {
    table.rows().iter().filter(|row| row.shows_templates).map(|row| row.key).collect()
}

/// Checks that no part has the name of a standard part.
pub(super) fn check_part_names_are_free(model: &Model<'_>, errors: &Errors) {
    for part in model.parts.iter().filter(|part| is_standard(&part.name)) {
        errors.add_with_help(
            part.name.span(),
            format!("`{}` is the name of a standard part", part.name),
            "every prompt has this part already: give yours another name",
        );
    }
}

/// Checks that parts do not contain each other.
pub(super) fn check_parts_are_not_circular(model: &Model<'_>, errors: &Errors) {
    let mut reported: Vec<usize> = Vec::new();
    for start in 0..model.parts.len() {
        let Some(cycle) = find_cycle(model, start) else {
            continue;
        };
        if cycle.iter().any(|index| reported.contains(index)) {
            continue;
        }
        let names = cycle.iter().map(|&index| &model.parts[index].name);
        let message = match cycle.len() {
            1 => format!("part {} contains itself", join_names(names)),
            _ => format!("parts {} contain each other", join_names(names)),
        };
        errors.add_with_help(
            model.parts[start].name.span(),
            message,
            "a part can show only parts that do not lead back to it",
        );
        reported.extend(cycle);
    }
}

/// Returns the parts on a path from a part back to itself, if there is one.
fn find_cycle(model: &Model<'_>, start: usize) -> Option<Vec<usize>> {
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

/// Returns whether a template may show parts that can't be determined.
fn has_unknown_parts(template: &Template) -> bool {
    let Template::Text(text) = template else { return false };
    let unclear = |piece: &Piece| match piece {
        Piece::Text(_) => false,
        Piece::Expr { expr, .. } => {
            let uses = Uses::from_expr(expr);
            uses.calls_in_macros.iter().any(|name| name == "part")
                || uses.parts.iter().any(|argument| part_name(argument).is_none())
        }
    };
    !text.flaws.is_empty() || text.pieces.iter().any(unclear)
}
