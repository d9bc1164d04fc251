//! Checks mocks, which return synthetic answers in the place of real ones.

use syn::{Ident, LitBool};

use crate::model::Model;
use cot_syntax::{TaskItems, TaskKind, diagnostics::Errors};

/// Checks that every task in mock mode has a mock.
pub(super) fn check_what_is_mocked_has_a_mock(model: &Model<'_>, errors: &Errors) {
    let is_on = |literal: Option<&LitBool>| literal.map(LitBool::value);
    let for_all = model.syntax.items.mock.is_some() || model.syntax.invalid.may_include(&["mock"]);
    let process = is_on(model.syntax.items.mock_mode.as_ref().map(|item| &item.value));
    for task in &model.tasks {
        let items = &task.syntax.items;
        let is_unclear = task.conflicting_kinds.is_some()
            || task.syntax.invalid.may_include(&["mock", "mock_mode"]);
        if is_unclear || items.mock.is_some() {
            continue;
        }
        let asks = task.kind.asks_model_or_person();
        if asks && for_all {
            continue;
        }
        let name = task.name();
        let help = "add `mock: function`, which returns the answer";
        match (&items.mock_mode, process) {
            (Some(item), _) if item.value.value() && allows(&item.key, task.kind) => {
                let message = format!("`mock_mode` is on, but task `{name}` has no `mock`");
                errors.add_with_help(item.key.span(), message, help);
            }
            (None, Some(true)) if asks => errors.add_with_help(
                name.span(),
                format!("the process has `mock_mode: true`, but task `{name}` has no `mock`"),
                format!("{help}; or write `mock_mode: false` in the task"),
            ),
            _ => {}
        }
    }
}

fn allows(key: &Ident, kind: TaskKind) -> bool {
    TaskItems::TABLE.row(key).is_some_and(|row| row.kinds.contains(&kind))
}
