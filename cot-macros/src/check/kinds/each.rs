//! Rules for for-each tasks.

use cot_syntax::{ON_FAILURES, TaskKind, diagnostics::Errors};
use proc_macro2::Ident;

use super::{
    code::CodeRules,
    kind_rules::{KindRules, report_missing_output},
    process::SubProcessRules,
};
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

pub(super) struct EachCodeRules;

impl KindRules for EachCodeRules {
    fn check_output(&self, task: &Task<'_>, errors: &Errors) {
        if task.output.is_none() {
            report_missing_output(task, "declare what the function returns for each item", errors);
        }
    }

    fn failures(&self, task: &Task<'_>) -> &'static [&'static str] {
        CodeRules.failures(task)
    }

    fn explain_failure(&self, task: &Task<'_>, when: &Ident) -> Option<&'static str> {
        CodeRules.explain_failure(task, when)
    }

    fn explain_misplaced(&self, key: &Ident) -> Option<&'static str> {
        CodeRules.explain_misplaced(key)
    }
}

pub(super) struct EachProcessRules;

impl KindRules for EachProcessRules {
    fn check_output(&self, task: &Task<'_>, errors: &Errors) {
        SubProcessRules.check_output(task, errors);
    }

    fn failures(&self, task: &Task<'_>) -> &'static [&'static str] {
        SubProcessRules.failures(task)
    }
}

/// Checks that the sub-processes of a for-each task start from their items.
pub(in crate::check) fn check_sub_processes_start_from_items(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind == TaskKind::EachProcess) {
        let items = &task.syntax.items;
        let (Some(process), Some(for_each)) = (&items.process, &items.for_each) else { continue };
        let (path, item) = (&process.value.path, &for_each.value.item);
        if process.value.with.is_none() {
            let name = path.segments.last().map(|segment| segment.ident.to_string());
            errors.add_over_with_help(
                path,
                "a sub-process of a for-each task needs the initial state of its item",
                format!(
                    "write `process: {} with …`, with a state from `{item}`",
                    name.unwrap_or_default()
                ),
            );
        }
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
