//! Checks templates and expressions.

use proc_macro2::Ident;
use syn::Expr;

use super::{
    diagnostic::{Diagnostic, report_in_template},
    fields::unknown_field,
    media::embedded_media,
    shown_parts::{part_name, unknown_part},
};
use crate::model::{
    Exit, HELPERS, Model, RESERVED, Role, StateUses, Task, Uses, VisibleNames, expressions_in,
};
use cot_syntax::{
    HistoryValue, Piece, Template, TemplateText,
    diagnostics::{Errors, join_names, suggest},
};

/// Checks that templates contain only valid expressions.
pub(super) fn check_templates_can_be_read(model: &Model<'_>, errors: &Errors) {
    for text in texts(model) {
        for flaw in &text.0.flaws {
            report_in_template(text.0, flaw.at, &flaw.code, &flaw.message, &flaw.help, errors);
        }
    }
}

/// Checks that templates and expressions use only names and parts that are available.
pub(super) fn check_names_are_known(model: &Model<'_>, errors: &Errors) {
    for (text, role) in texts(model) {
        let task = match role {
            Role::Task(task) | Role::Full(task) => Some(&model.tasks[task]),
            Role::Goal | Role::Prompt => None,
        };
        for piece in &text.pieces {
            let Piece::Expr { expr, code, at } = piece else {
                continue;
            };
            let diagnostics = diagnose_template_expr(model, expr, role).into_iter();
            for diagnostic in diagnostics.filter(|diagnostic| !diagnostic.is_consequence(task)) {
                report_in_template(text, *at, code, &diagnostic.message, &diagnostic.help, errors);
            }
        }
    }
    for task in &model.tasks {
        for (place, expr) in task.expressions() {
            report(expr, &model.names_at(task, place), Some(task), errors);
        }
    }
    let tools = model.tools.iter().flat_map(|tool| expressions_in(tool));
    tools.for_each(|(_, expr)| report(expr, &model.names_in_tools(), None, errors));
    let defaults = model.state_fields().iter().filter_map(|field| field.default.as_ref());
    defaults.for_each(|default| report(default, &model.names_in_defaults(), None, errors));
}

/// Checks that a process with `history: none` does not show the history.
pub(super) fn check_history_is_recorded_where_used(model: &Model<'_>, errors: &Errors) {
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
            let uses = Uses::from_expr(expr);
            let mut parts = uses.parts.iter().filter_map(part_name);
            let part = matches!(role, Role::Full(_)) && parts.any(|name| name == "history");
            if part || uses.free_variables().any(|name| name == "history") {
                report_in_template(text, *at, code, "there is no history to show", help, errors);
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

fn report(expr: &Expr, seen: &VisibleNames<'_>, task: Option<&Task<'_>>, errors: &Errors) {
    for diagnostic in
        diagnose_expr(expr, seen).into_iter().filter(|diagnostic| !diagnostic.is_consequence(task))
    {
        errors.add_with_help(diagnostic.span, diagnostic.message, diagnostic.help);
    }
}

/// Returns the errors in an expression of a template.
pub(crate) fn diagnose_template_expr(
    model: &Model<'_>,
    expr: &Expr,
    role: Role,
) -> Vec<Diagnostic> {
    let seen = &model.names_in_template(role);
    let uses = Uses::from_expr(expr);
    let mut diagnostics = diagnose_expr(expr, seen);
    if role == Role::Prompt {
        diagnostics.iter_mut().for_each(explain_shared);
    }
    diagnostics.extend(uses.calls.iter().filter_map(|(name, count)| misused_helper(name, *count)));
    diagnostics.extend(uses.calls_in_macros.iter().filter_map(helper_in_macro));
    diagnostics.extend(embedded_media(expr, &uses));
    diagnostics
        .extend(uses.parts.iter().filter_map(|argument| unknown_part(model, argument, role)));
    diagnostics
}

/// Adds an explanation that a shared text can't use the inputs or the item of one task.
fn explain_shared(diagnostic: &mut Diagnostic) {
    if let Some(name) = diagnostic.name.as_ref().filter(|name| *name == "inputs" || *name == "item")
    {
        diagnostic.help =
            format!("this text is shared by all tasks: show `{name}` in the task's own prompt");
    }
}

/// Returns the errors in an expression that do not depend on templates: names that are not available, exits
/// and unknown fields.
pub(crate) fn diagnose_expr(expr: &Expr, seen: &VisibleNames<'_>) -> Vec<Diagnostic> {
    let uses = Uses::from_expr(expr);
    let reserved = |name: &&Ident| RESERVED.iter().any(|word| *name == word);
    let misplaced = uses.free_variables().filter(reserved).filter(|name| !seen.contains(name));
    let misplaced = misplaced.map(|name| Diagnostic {
        name: Some(name.clone()),
        ..Diagnostic::new(
            name.span(),
            format!("`{name}` is not available here"),
            list_names(name, seen),
        )
    });
    let is_read = |exit: &Exit| {
        let field = exit.field.as_ref();
        field.is_some_and(|field| seen.may_be_unset(field) || seen.lacks_field(field))
    };
    let exits = uses.exits.iter().filter(|exit| !is_read(exit));
    let exits = exits.map(|exit| diagnose_exit(exit, seen));
    let unknown = uses
        .free_values()
        .filter_map(|(name, is_receiver)| unknown_variable(name, is_receiver, seen));
    misplaced.chain(exits).chain(unknown).chain(diagnose_fields(expr, &uses, seen)).collect()
}

fn diagnose_exit(exit: &Exit, seen: &VisibleNames<'_>) -> Diagnostic {
    match exit.field.as_ref().filter(|field| seen.is_always_set(field)) {
        Some(field) => Diagnostic::new(
            exit.span,
            format!("`state.{field}` always has a value"),
            "`?` reads a field that a task may not have written yet: remove it here",
        ),
        None => Diagnostic::new(
            exit.span,
            format!("`{}` can't be used here", exit.word),
            "it would return from generated code: write an expression that always has a value",
        ),
    }
}

/// Returns the uses of fields that the declared state does not have.
fn diagnose_fields(expr: &Expr, uses: &Uses, seen: &VisibleNames<'_>) -> Vec<Diagnostic> {
    if seen.fields.is_empty() {
        return Vec::new();
    }
    if let Some(other) = uses.binding("state") {
        let message = "another variable is called `state` here";
        let help = "uses of the state are recognized by this name: give the variable another name";
        return vec![Diagnostic::new(other.span(), message, help)];
    }
    let used = StateUses::from_expr(expr);
    let unknown = used.fields().filter(|name| seen.lacks_field(name)).map(|name| {
        let (message, help) = unknown_field(name, seen);
        Diagnostic::new(name.span(), message, help)
    });
    unknown.collect()
}

fn list_names(name: &Ident, seen: &VisibleNames<'_>) -> String {
    if seen.names.is_empty() {
        return "a default is computed before the process starts: it can't use its data".to_owned();
    }
    let there = format!("the names that can be used here are {}", join_names(&seen.names));
    match name.to_string().as_str() {
        "inputs" => format!("{there}; a task that takes inputs declares `inputs: Type`"),
        _ => there,
    }
}

/// Reports a variable that is a field of the state, a slip, or used like a value of the process. Only rustc knows
/// whether there is a constant of another name.
fn unknown_variable(
    name: &Ident,
    is_receiver: bool,
    seen: &VisibleNames<'_>,
) -> Option<Diagnostic> {
    let word = name.to_string();
    let lower = word.starts_with(|first: char| first.is_lowercase());
    let is_known = seen.contains(name) || seen.binds(name) || word == "self";
    if !lower || is_known || RESERVED.contains(&word.as_str()) {
        return None;
    }
    let is_field = seen.fields.iter().any(|field| field.name == *name);
    let own = format!("for an item of your own write `self::{word}`");
    // The fields of a state that is a type are not known, so only a slip is one of the other names.
    let is_slip = |near: &&str| !seen.fields.is_empty() || strsim::osa_distance(&word, near) <= 2;
    let near = suggest(&word, seen.names.iter().map(String::as_str)).filter(is_slip);
    let help = match near {
        None if !is_field && !is_receiver => return None,
        _ if is_field => format!("it is a field of the state: write `state.{word}`"),
        _ if seen.names.is_empty() => format!("{}; {own}", list_names(name, seen)),
        Some(near) => format!("did you mean `{near}`? ({own})"),
        None if seen.fields.is_empty() => {
            format!("for a field of the state write `state.{word}`, {own}")
        }
        None => format!("{}; {own}", list_names(name, seen)),
    };
    let diagnostic = Diagnostic::new(name.span(), format!("unknown variable `{word}`"), help);
    Some(Diagnostic { name: Some(name.clone()), ..diagnostic })
}

fn misused_helper(name: &Ident, arguments: usize) -> Option<Diagnostic> {
    let word = name.to_string();
    if HELPERS.contains(&word.as_str()) {
        let message = format!("`{word}` takes one value, not {arguments}");
        let diagnostic =
            || Diagnostic::new(name.span(), message, format!("write `{word}(…)` for each"));
        return (arguments != 1).then(diagnostic);
    }
    // A user's own function may have a similar name, so only a name with a single typo is reported.
    let slip = |helper: &&&str| {
        strsim::osa_distance(&word, helper) == 1
            && !word.starts_with(**helper)
            && !helper.starts_with(&word)
    };
    let near = HELPERS.iter().find(slip)?;
    Some(Diagnostic::new(
        name.span(),
        format!("unknown helper `{word}`"),
        format!("did you mean `{near}`? (for a function of your own write `self::{word}(…)`)"),
    ))
}

fn helper_in_macro(name: &Ident) -> Option<Diagnostic> {
    HELPERS.iter().any(|helper| name == helper).then(|| {
        Diagnostic::new(
            name.span(),
            format!("`{name}` can't be used inside a macro"),
            format!("use it outside, as in `${{{name}(…)}}`"),
        )
    })
}
