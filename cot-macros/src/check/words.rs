//! The words in templates and expressions.

use proc_macro2::{Ident, Span};
use syn::Expr;

use super::parts::part_name;
use crate::{
    diagnostics::{Errors, one_of, suggest},
    model::{Model, Role, Uses},
    syntax::{HistoryItem, Piece, Template, TemplateText},
};

/// What a text shown to a model sees.
pub(crate) const IN_PROMPTS: &[&str] = &["state", "goal", "task", "process", "history"];
/// What the goal sees.
const IN_GOAL: &[&str] = &["state", "process"];
/// What the guard of a transition or of an arm of `next` without output sees.
pub(crate) const IN_GUARDS: &[&str] = &["state", "goal"];
/// What the right side of an update, and the guard of `next` behind an output, sees.
pub(crate) const WITH_OUTPUT: &[&str] = &["output", "state", "goal"];
/// All names that the language gives a meaning somewhere.
const RESERVED: &[&str] =
    &["state", "goal", "task", "process", "history", "output", "inputs", "item", "last_output"];
/// The functions that templates know.
pub(crate) const HELPERS: &[&str] = &["json", "json_pretty", "part", "list", "quoted"];

/// Something that is wrong with an expression.
pub(crate) struct Mistake {
    span: Span,
    message: String,
    help: String,
}

/// A template is text with well-formed expressions in it.
pub(super) fn check_templates_can_be_read(model: &Model<'_>, errors: &Errors) {
    for text in texts(model) {
        for flaw in &text.0.flaws {
            report_in(text.0, flaw.at, &flaw.code, &flaw.message, &flaw.help, errors);
        }
    }
}

/// Templates, guards and updates use only names and parts that are there.
pub(super) fn check_words_are_known(model: &Model<'_>, errors: &Errors) {
    for (text, role) in texts(model) {
        for piece in &text.pieces {
            let Piece::Shown { expr, code, at } = piece else {
                continue;
            };
            for mistake in mistakes_in_template(model, expr, role) {
                report_in(text, *at, code, &mistake.message, &mistake.help, errors);
            }
        }
    }
    for task in &model.tasks {
        let transitions = task.transitions.iter().filter_map(|edge| edge.syntax.guard.as_ref());
        transitions.for_each(|guard| report(guard, IN_GUARDS, errors));
        let seen = if task.syntax.output.is_some() { WITH_OUTPUT } else { IN_GUARDS };
        let arms = task.next.iter().filter_map(|edge| edge.syntax.guard.as_ref());
        arms.for_each(|guard| report(guard, seen, errors));
        if let Some(update) = &task.syntax.items.update {
            let values = update.value.writes.iter().filter_map(|write| write.value.as_ref());
            values.for_each(|value| report(value, WITH_OUTPUT, errors));
        }
    }
}

/// A process that keeps no history does not show it.
pub(super) fn check_history_is_kept_where_used(model: &Model<'_>, errors: &Errors) {
    let history = model.syntax.items.history.as_ref().map(|item| &item.value);
    if !matches!(history, Some(HistoryItem::None)) {
        return;
    }
    for (text, _) in texts(model) {
        for piece in &text.pieces {
            let Piece::Shown { expr, code, at } = piece else {
                continue;
            };
            if Uses::of(expr).free().any(|name| name == "history") {
                let help = "the process says `history: none`: remove that, or this use";
                report_in(text, *at, code, "there is no history to show", help, errors);
            }
        }
    }
}

/// The texts of a process and their roles.
fn texts<'a>(model: &Model<'a>) -> Vec<(&'a TemplateText, Role)> {
    let uses = model.templates().into_iter();
    uses.filter_map(|use_| match use_.template {
        Template::Text(text) => Some((text, use_.role)),
        Template::Function(_) => None,
    })
    .collect()
}

/// Reports a mistake in a template: its literal is the smallest token that rustc can point at, so the
/// message says where in it.
fn report_in(
    text: &TemplateText,
    at: impl std::fmt::Display,
    code: &str,
    message: &str,
    help: &str,
    errors: &Errors,
) {
    let what = if text.included { "file" } else { "template" };
    let note = format!("in `{code}`, {at} of the {what}");
    errors.error_with_notes(text.literal.span(), message, &[("note", &note), ("help", help)]);
}

fn report(expr: &Expr, seen: &[&str], errors: &Errors) {
    for mistake in mistakes(expr, seen) {
        errors.error_with_help(mistake.span, mistake.message, mistake.help);
    }
}

/// What is wrong with an expression of a template.
pub(crate) fn mistakes_in_template(model: &Model<'_>, expr: &Expr, role: Role) -> Vec<Mistake> {
    let seen = match role {
        Role::Goal => IN_GOAL,
        Role::Prompt => IN_PROMPTS,
    };
    let uses = Uses::of(expr);
    let mut mistakes = mistakes(expr, seen);
    mistakes.extend(uses.free_bases().filter_map(|name| misspelled_variable(name, seen)));
    mistakes.extend(uses.calls.iter().filter_map(|(name, count)| misused_helper(name, *count)));
    mistakes.extend(uses.calls_in_macros.iter().filter_map(helper_in_macro));
    mistakes.extend(uses.parts.iter().filter_map(|argument| unknown_part(model, argument)));
    mistakes
}

/// Uses of names that have a meaning, but not here.
pub(crate) fn mistakes(expr: &Expr, seen: &[&str]) -> Vec<Mistake> {
    let uses = Uses::of(expr);
    let is = |name: &Ident, words: &[&str]| words.iter().any(|word| name == word);
    let misplaced = uses.free().filter(|name| is(name, RESERVED) && !is(name, seen));
    let misplaced = misplaced.map(|name| Mistake {
        span: name.span(),
        message: format!("there is no `{name}` here"),
        help: format!("what can be used here is {}", one_of(seen)),
    });
    let exits = uses.exits.iter().map(|(word, span)| Mistake {
        span: *span,
        message: format!("`{word}` can't be used here"),
        help: "there is no function of yours to leave: give a value in any case".to_owned(),
    });
    misplaced.chain(exits).collect()
}

fn misspelled_variable(name: &Ident, seen: &[&str]) -> Option<Mistake> {
    let word = name.to_string();
    let lower = word.starts_with(|first: char| first.is_lowercase());
    if !lower || RESERVED.contains(&word.as_str()) {
        return None;
    }
    let near = suggest(&word, seen.iter().copied())?;
    Some(Mistake {
        span: name.span(),
        message: format!("unknown variable `{word}`"),
        help: format!("did you mean `{near}`? (for an item of your own write `self::{word}`)"),
    })
}

fn misused_helper(name: &Ident, arguments: usize) -> Option<Mistake> {
    let word = name.to_string();
    if HELPERS.contains(&word.as_str()) {
        return (arguments != 1).then(|| Mistake {
            span: name.span(),
            message: format!("`{word}` takes one value, not {arguments}"),
            help: format!("write `{word}(…)` for each"),
        });
    }
    // Functions of the user's own may have similar names; only an evident slip is one.
    let slip = |helper: &&&str| {
        strsim::osa_distance(&word, helper) == 1
            && !word.starts_with(**helper)
            && !helper.starts_with(&word)
    };
    let near = HELPERS.iter().find(slip)?;
    Some(Mistake {
        span: name.span(),
        message: format!("unknown helper `{word}`"),
        help: format!(
            "did you mean `{near}`? (for a function of your own write `self::{word}(…)`)"
        ),
    })
}

fn helper_in_macro(name: &Ident) -> Option<Mistake> {
    HELPERS.iter().any(|helper| name == helper).then(|| Mistake {
        span: name.span(),
        message: format!("`{name}` can't be used inside of a macro"),
        help: format!("use it outside, as in `${{{name}(…)}}`"),
    })
}

fn unknown_part(model: &Model<'_>, argument: &Expr) -> Option<Mistake> {
    let Some(name) = part_name(argument) else {
        return Some(Mistake {
            span: Span::call_site(),
            message: "`part` takes the name of a part".to_owned(),
            help: "write `part(name)`, with a name that `prompts` declares".to_owned(),
        });
    };
    if model.parts.iter().any(|part| part.name == name) {
        return None;
    }
    let near = nearest_part(model, &name).map(|index| &model.parts[index].name);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if model.parts.is_empty() => {
            format!("declare it: `prompts: {{ {name}: \"…\" }}`")
        }
        None => format!("`prompts` declares {}", one_of(model.parts.iter().map(|part| &part.name))),
    };
    Some(Mistake { span: name.span(), message: format!("no part `{name}`"), help })
}

/// The part that a name means, or probably means.
pub(super) fn nearest_part(model: &Model<'_>, name: &Ident) -> Option<usize> {
    let names: Vec<_> = model.parts.iter().map(|part| part.name.to_string()).collect();
    let word = name.to_string();
    let find = |wanted: &str| names.iter().position(|name| name == wanted);
    find(&word).or_else(|| find(suggest(&word, names.iter().map(String::as_str))?))
}
