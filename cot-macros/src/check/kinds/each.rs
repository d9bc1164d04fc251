//! Rules for for-each tasks.

use cot_syntax::{ON_FAILURES, TaskKind, diagnostics::Errors};
use proc_macro2::Ident;

use super::kind_rules::{KindRules, report_missing_output};
use crate::model::{Model, Task};

pub(super) struct EachRules;

impl KindRules for EachRules {
    fn check_output(&self, task: &Task<'_>, errors: &Errors) {
        if task.output.is_none() {
            report_missing_output(task, "declare the output for each item", errors);
        }
    }

    fn failures(&self, _: &Task<'_>) -> &'static [&'static str] {
        &ON_FAILURES
    }

    fn explain_misplaced(&self, key: &Ident) -> Option<&'static str> {
        let help = "run a process for each item, whose AI task calls the tools: `for_each: item in list, process: Other with …`";
        ["tools", "max_tool_calls"].iter().any(|word| key == word).then_some(help)
    }
}

/// Checks that a for-each task has no async `check`, which supports a single output only.
pub(in crate::check) fn check_async_checks_are_of_one_output(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind == TaskKind::Each) {
        let check = task.syntax.items.check.as_ref().map(|item| &item.value);
        if let Some(word) = check.and_then(|check| check.is_async) {
            errors.add_with_help(
                word.span,
                "an async `check` is not allowed in a for-each task",
                "check the outputs in a code task after it, or write the check without `async`",
            );
        }
    }
}
