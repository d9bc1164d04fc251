//! The entries of a task in the history, and in the field of the state that mirrors it.

use cot_syntax::{
    HistoryItems, HistoryValue, Item, Piece, Template, ToolHistoryValue, UntrustedHistoryValue,
};

use super::{facts::Fact, marks::Mark};
use crate::model::{Model, Task, find_mention};

/// Returns the facts that hold the entries of a task. Prompts can leave out those of untrusted values. The variable
/// `history` and the field of the state have them all.
pub(super) fn entries(model: &Model<'_>, task: &Task<'_>, mark: Mark) -> Vec<Fact> {
    let history = model.syntax.items.history.as_ref().map(|item| &item.value);
    if matches!(history, Some(HistoryValue::None)) || task.syntax.items.no_history.is_some() {
        return Vec::new();
    }
    let omits = |it: &Item<_>| it.value == UntrustedHistoryValue::Omit;
    let omits = limits(model).and_then(|items| items.untrusted.as_ref()).is_some_and(omits);
    let is_left_out = mark == Mark::Untrusted && omits && !shows_variable(model);
    let shown = (!is_left_out).then_some(Fact::History);
    let mirror = model.state_fields().iter().position(|field| field.name == "history");
    let mirror = mirror.filter(|_| model.mirror_limit().is_some()).map(Fact::Written);
    shown.into_iter().chain(mirror).collect()
}

/// Returns whether the history has the tool calls of the model of a task, with their results.
pub(super) fn records_calls(model: &Model<'_>, task: &Task<'_>) -> bool {
    let tools = limits(model).and_then(|items| items.tools.as_ref());
    let is_whole = tools.is_some_and(|tools| tools.value == ToolHistoryValue::All);
    is_whole && task.kind.asks_model() && !task.tools.is_empty()
}

fn limits<'a>(model: &Model<'a>) -> Option<&'a HistoryItems> {
    match model.syntax.items.history.as_ref().map(|item| &item.value) {
        Some(HistoryValue::Limits(items)) => Some(items),
        _ => None,
    }
}

fn shows_variable(model: &Model<'_>) -> bool {
    let texts = model.templates().into_iter().filter_map(|used| match used.template {
        Template::Text(text) => Some(&text.pieces),
        Template::Function(_) => None,
    });
    texts.flatten().any(|piece| match piece {
        Piece::Expr { expr, .. } => find_mention(expr, "history").is_some(),
        Piece::Text(_) => false,
    })
}
