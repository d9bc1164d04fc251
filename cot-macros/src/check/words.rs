//! Checks templates and expressions.

use proc_macro2::Ident;
use syn::Expr;

use super::{
    fields::unknown_field,
    mistake::Mistake,
    shown_parts::{part_name, unknown_part},
};
use crate::model::{Exit, Model, RESERVED, Role, Seen, StateUses, Task, Uses};
use cot_syntax::{
    HistoryValue, Piece, Template, TemplateText,
    diagnostics::{Errors, join_names, suggest},
};

/// The helper functions of templates.
pub(crate) const HELPERS: &[&str] = &["json", "json_pretty", "part", "list", "quoted"];

/// Checks that templates contain only valid expressions.
pub(super) fn check_templates_can_be_read(model: &Model<'_>, errors: &Errors) {
    for text in texts(model) {
        for flaw in &text.0.flaws {
            report_in(text.0, flaw.at, &flaw.code, &flaw.message, &flaw.help, errors);
        }
    }
}

/// Checks that templates and expressions use only names and parts that are available.
pub(super) fn check_words_are_known(model: &Model<'_>, errors: &Errors) {
    for (text, role) in texts(model) {
        let task = match role {
            Role::Task(task) | Role::Full(task) => Some(&model.tasks[task]),
            Role::Goal | Role::Prompt => None,
        };
        for piece in &text.pieces {
            let Piece::Expr { expr, code, at } = piece else {
                continue;
            };
            let mistakes = mistakes_in_template(model, expr, role).into_iter();
            for mistake in mistakes.filter(|mistake| !mistake.follows(task)) {
                report_in(text, *at, code, &mistake.message, &mistake.help, errors);
            }
        }
    }
    for task in &model.tasks {
        for (place, expr) in task.expressions() {
            report(expr, &model.seen_at(task, place), Some(task), errors);
        }
    }
    let defaults = model.state_fields().iter().filter_map(|field| field.default.as_ref());
    defaults.for_each(|default| report(default, &model.seen_by_defaults(), None, errors));
}

/// Checks that a process with `history: none` does not show the history.
pub(super) fn check_history_is_kept_where_used(model: &Model<'_>, errors: &Errors) {
    let history = model.syntax.items.history.as_ref().map(|item| &item.value);
    if !matches!(history, Some(HistoryValue::None)) {
        return;
    }
    let help = "the process has `history: none`: remove it, or remove this use";
    for (text, role) in texts(model) {
        for piece in &text.pieces {
            let Piece::Expr { expr, code, at } = piece else {
                continue;
            };
            let uses = Uses::of(expr);
            let mut parts = uses.parts.iter().filter_map(part_name);
            let part = matches!(role, Role::Full(_)) && parts.any(|name| name == "history");
            if part || uses.free().any(|name| name == "history") {
                report_in(text, *at, code, "there is no history to show", help, errors);
            }
        }
    }
}

/// Returns the texts of a process, with their roles.
fn texts<'a>(model: &Model<'a>) -> Vec<(&'a TemplateText, Role)> {
    let uses = model.templates().into_iter();
    uses.filter_map(|use_| match use_.template {
        Template::Text(text) => Some((text, use_.role)),
        Template::Function(_) => None,
    })
    .collect()
}

/// Reports an error in a template. rustc can only point at the whole literal, so a note gives the position.
fn report_in(
    text: &TemplateText,
    at: impl std::fmt::Display,
    code: &str,
    message: &str,
    help: &str,
    errors: &Errors,
) {
    let what = match text.included {
        true => format!("`{}`", text.literal.value()),
        false => "the template".to_owned(),
    };
    let note = format!("in `{code}`, {at} of {what}");
    errors.add_with_notes(text.literal.span(), message, &[("note", &note), ("help", help)]);
}

fn report(expr: &Expr, seen: &Seen<'_>, task: Option<&Task<'_>>, errors: &Errors) {
    for mistake in mistakes(expr, seen).into_iter().filter(|mistake| !mistake.follows(task)) {
        errors.add_with_help(mistake.span, mistake.message, mistake.help);
    }
}

/// Returns the errors in an expression of a template.
pub(crate) fn mistakes_in_template(model: &Model<'_>, expr: &Expr, role: Role) -> Vec<Mistake> {
    let seen = &model.seen_in(role);
    let uses = Uses::of(expr);
    let mut mistakes = mistakes(expr, seen);
    if role == Role::Prompt {
        mistakes.iter_mut().for_each(explain_shared);
    }
    mistakes.extend(uses.free_bases().filter_map(|name| misspelled_variable(name, seen)));
    mistakes.extend(uses.calls.iter().filter_map(|(name, count)| misused_helper(name, *count)));
    mistakes.extend(uses.calls_in_macros.iter().filter_map(helper_in_macro));
    mistakes.extend(uses.parts.iter().filter_map(|argument| unknown_part(model, argument, role)));
    mistakes
}

/// Adds an explanation that a shared text can't use the inputs or the item of one task.
fn explain_shared(mistake: &mut Mistake) {
    if let Some(name) = mistake.name.as_ref().filter(|name| *name == "inputs" || *name == "item") {
        mistake.help =
            format!("this text is shared by all tasks: show `{name}` in the task's own prompt");
    }
}

/// Returns the errors in an expression that do not depend on templates: names that are not available, exits
/// and unknown fields.
pub(crate) fn mistakes(expr: &Expr, seen: &Seen<'_>) -> Vec<Mistake> {
    let uses = Uses::of(expr);
    let reserved = |name: &&Ident| RESERVED.iter().any(|word| *name == word);
    let misplaced = uses.free().filter(reserved).filter(|name| !seen.has(name));
    let misplaced = misplaced.map(|name| Mistake {
        name: Some(name.clone()),
        ..Mistake::new(
            name.span(),
            format!("`{name}` is not available here"),
            what_is_there(name, seen),
        )
    });
    let is_read = |exit: &Exit| {
        let field = exit.field.as_ref();
        field.is_some_and(|field| seen.reads_unset(field) || seen.lacks_field(field))
    };
    let exits = uses.exits.iter().filter(|exit| !is_read(exit));
    let exits = exits.map(|exit| leaving(exit, seen));
    misplaced.chain(exits).chain(mistakes_in_fields(expr, &uses, seen)).collect()
}

fn leaving(exit: &Exit, seen: &Seen<'_>) -> Mistake {
    match exit.field.as_ref().filter(|field| seen.is_always_set(field)) {
        Some(field) => Mistake::new(
            exit.span,
            format!("`state.{field}` always has a value"),
            "`?` reads a field that a task may not have written yet: remove it here",
        ),
        None => Mistake::new(
            exit.span,
            format!("`{}` can't be used here", exit.word),
            "it would return from generated code: write an expression that always has a value",
        ),
    }
}

/// Returns the uses of fields that the declared state does not have.
fn mistakes_in_fields(expr: &Expr, uses: &Uses, seen: &Seen<'_>) -> Vec<Mistake> {
    if seen.fields.is_empty() {
        return Vec::new();
    }
    if let Some(other) = uses.binding("state") {
        let message = "another variable is called `state` here";
        let help = "uses of the state are recognized by this name: give the variable another name";
        return vec![Mistake::new(other.span(), message, help)];
    }
    let used = StateUses::of(expr);
    let unknown = used.fields().filter(|name| seen.lacks_field(name)).map(|name| {
        let (message, help) = unknown_field(name, seen);
        Mistake::new(name.span(), message, help)
    });
    unknown.collect()
}

fn what_is_there(name: &Ident, seen: &Seen<'_>) -> String {
    if seen.names.is_empty() {
        return "a default is computed before the process starts: it can't use its data".to_owned();
    }
    let there = format!("the names that can be used here are {}", join_names(&seen.names));
    match name.to_string().as_str() {
        "inputs" => format!("{there}; a task that takes inputs declares `inputs: Type`"),
        _ => there,
    }
}

fn misspelled_variable(name: &Ident, seen: &Seen<'_>) -> Option<Mistake> {
    let word = name.to_string();
    let lower = word.starts_with(|first: char| first.is_lowercase());
    if !lower || RESERVED.contains(&word.as_str()) {
        return None;
    }
    let near = suggest(&word, seen.names.iter().map(String::as_str))?;
    (near != word).then(|| {
        Mistake::new(
            name.span(),
            format!("unknown variable `{word}`"),
            format!("did you mean `{near}`? (for an item of your own write `self::{word}`)"),
        )
    })
}

fn misused_helper(name: &Ident, arguments: usize) -> Option<Mistake> {
    let word = name.to_string();
    if HELPERS.contains(&word.as_str()) {
        let message = format!("`{word}` takes one value, not {arguments}");
        let mistake = || Mistake::new(name.span(), message, format!("write `{word}(…)` for each"));
        return (arguments != 1).then(mistake);
    }
    // A user's own function may have a similar name, so only a name with a single typo is reported.
    let slip = |helper: &&&str| {
        strsim::osa_distance(&word, helper) == 1
            && !word.starts_with(**helper)
            && !helper.starts_with(&word)
    };
    let near = HELPERS.iter().find(slip)?;
    Some(Mistake::new(
        name.span(),
        format!("unknown helper `{word}`"),
        format!("did you mean `{near}`? (for a function of your own write `self::{word}(…)`)"),
    ))
}

fn helper_in_macro(name: &Ident) -> Option<Mistake> {
    HELPERS.iter().any(|helper| name == helper).then(|| {
        Mistake::new(
            name.span(),
            format!("`{name}` can't be used inside a macro"),
            format!("use it outside, as in `${{{name}(…)}}`"),
        )
    })
}
