//! Warnings about valid code that is probably unintended. Macros can't emit warnings in stable Rust, so
//! each warning is a use of a deprecated constant, which is named after the problem and has the span of the
//! user's code.

use proc_macro2::TokenStream;
use syn::Type;

use super::warning::Warning;
use crate::{
    expand::proofs::trust,
    model::{Model, Task},
};
use cot_syntax::{CollectValue, Piece, TaskKind, Template, is_lint_level};

/// Generates the warnings of a process, and the checks of what only the types tell. `#[allow(deprecated)]` on the process
/// silences the warnings.
pub(crate) fn warnings(model: &Model<'_>) -> TokenStream {
    let attributes = model.syntax.attributes.iter();
    let levels: Vec<_> = attributes.filter(|attribute| is_lint_level(attribute)).collect();
    let late = model.tasks.iter().filter_map(timeout_without_route);
    let unknown = model.tasks.iter().filter_map(|task| interruption_without_route(task, model));
    let plain = model.templates().into_iter().filter_map(|used| plain_placeholder(used.template));
    let all = late.chain(unknown).chain(plain).chain(history_without_entries(model));
    let mut tokens: TokenStream = all.map(|warning| warning.expand(&levels)).collect();
    tokens.extend(trust::expand_warnings(model, &levels));
    tokens
}

/// Warns about a human task with a timeout but no route for it, which halts the run when a person is late.
fn timeout_without_route(task: &Task<'_>) -> Option<Warning> {
    let timeout = task.syntax.items.timeout.as_ref()?;
    (task.kind == TaskKind::Human && lacks_route(task, "timeout")).then(|| Warning {
        name: "timeout_without_route",
        span: timeout.key.span(),
        note: format!(
            "the run halts if nobody answers task `{}` in time: write \
             `on: {{ timeout => task }}`, or `#[allow(deprecated)]` on the process if that is intended",
            task.name()
        ),
    })
}

/// Warns about calls with `effect: once` without a route for an unknown outcome, which halts the run. A parallel task can
/// have the route for its branches, and `collect: ok` keeps the failures of items.
fn interruption_without_route(task: &Task<'_>, model: &Model<'_>) -> Option<Warning> {
    let items = &task.syntax.items;
    let span = match &items.effect {
        Some(effect) if task.is_once() => effect.key.span(),
        _ if task.calls_once && task.syntax.read().is_none() => task.name().span(),
        _ => return None,
    };
    let is_collected = items.collect.as_ref().is_some_and(|item| item.value == CollectValue::Ok);
    let has_route = |task: &Task<'_>| !lacks_route(task, "interrupted");
    let is_caught = model.tasks.iter().any(|task| !task.branches.is_empty() && has_route(task));
    (lacks_route(task, "interrupted") && !is_collected && !is_caught).then(|| Warning {
        name: "interruption_without_route",
        span,
        note: format!(
            "the run halts if it is not known whether a call of task `{}` took effect: write \
             `on: {{ interrupted => task }}`, or `#[allow(deprecated)]` on the process if that is intended",
            task.name()
        ),
    })
}

/// Returns whether a task has certainly no route for a failure.
fn lacks_route(task: &Task<'_>, failure: &str) -> bool {
    let is_unclear = task.incomplete || task.syntax.invalid.may_include(&["on"]);
    !is_unclear && !task.on.iter().any(|edge| edge.syntax.when == failure)
}

/// Warns about a state field `history` of type `History` that nothing fills.
fn history_without_entries(model: &Model<'_>) -> Option<Warning> {
    let is_history = |ty: &Type| match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "History"),
        _ => false,
    };
    let mut fields = model.state_fields().iter().filter(|field| field.input.is_none());
    let field = fields.find(|field| field.name == "history" && is_history(&field.ty))?;
    let is_filled = model.mirror_limit().is_some() || model.may_write("history");
    let unclear = model.syntax.invalid.may_include(&["history"]);
    (!is_filled && !unclear).then(|| Warning {
        name: "history_without_entries",
        span: field.name.span(),
        note: "the field `history` stays empty: write `history: { state_max_items: 20 }` to store the latest \
               entries in it, or `#[allow(deprecated)]` on the process if that is intended"
            .to_owned(),
    })
}

/// Warns about `{state.x}` and `$state.x`, which a template shows literally.
fn plain_placeholder(template: &Template) -> Option<Warning> {
    let Template::Text(text) = template else { return None };
    let shown = text.pieces.iter().find_map(|piece| match piece {
        Piece::Text(text) => placeholder(text),
        Piece::Expr { .. } => None,
    })?;
    Some(Warning {
        name: "placeholder_without_effect",
        span: text.literal.span(),
        note: format!(
            "the model sees `{shown}` as it stands: write `${{{}}}` to show the value, or \
             `#[allow(deprecated)]` on the process if that is intended",
            shown.trim_matches(['$', '{', '}'])
        ),
    })
}

/// Finds the first `{state.x}` or `$state.x` in a text.
pub(super) fn placeholder(text: &str) -> Option<&str> {
    let mut places = text.match_indices("state.");
    places.find_map(|(at, word)| {
        let path = |byte: char| byte.is_alphanumeric() || ['_', '.'].contains(&byte);
        let rest = &text[at + word.len()..];
        let field = rest.find(|byte| !path(byte)).unwrap_or(rest.len());
        let field = rest[..field].trim_end_matches('.').len();
        let end = at + word.len() + field;
        match text[..at].chars().next_back()? {
            _ if field == 0 => None,
            '$' => Some(&text[at - 1..end]),
            '{' if text[end..].starts_with('}') => Some(&text[at - 1..=end]),
            _ => None,
        }
    })
}
