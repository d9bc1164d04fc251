//! Rules for AI tasks.

use cot_syntax::{ON_FAILURES, TaskKind, diagnostics::Errors};
use proc_macro2::Ident;

use super::kind_rules::KindRules;
use crate::model::{Model, Task};

pub(super) struct AiRules;

impl KindRules for AiRules {
    fn items_about_output(&self) -> &'static [&'static str] {
        &["update", "found_in", "check", "process_output", "examples", "next", "may_end"]
    }

    fn failures(&self, task: &Task<'_>) -> &'static [&'static str] {
        match task.may_call_once && task.syntax.read().is_none() {
            true => &ON_FAILURES,
            false => &["exhausted", "truncated", "refused", "timeout", "unreachable", "budget"],
        }
    }

    fn explain_failure(&self, task: &Task<'_>, when: &Ident) -> Option<&'static str> {
        let help = match task.syntax.read() {
            Some(_) => {
                "a task with `read` makes no calls: put the route on the task with `calls` that makes them"
            }
            None => "only a tool with `effect: once` can be interrupted, and this task has none",
        };
        (when == "interrupted").then_some(help)
    }
}

/// Checks that an AI task asks for an output or a choice.
pub(in crate::check) fn check_something_is_asked_for(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind == TaskKind::Ai && !task.incomplete) {
        let is_reading = task.syntax.read().is_some();
        if task.output.is_none() && task.transitions.is_empty() && !is_reading {
            let name = task.name();
            errors.add_with_help(
                name.span(),
                format!("task `{name}` asks the model for nothing"),
                format!(
                    "give it an output (`task {name} -> Output`) or `transitions`, or write `reason` \
                     for `prompt`"
                ),
            );
        }
    }
}

/// Checks that `always_ask` is on a task that is not always asked without it.
pub(in crate::check) fn check_a_call_can_be_left_out(model: &Model<'_>, errors: &Errors) {
    let tasks = model.tasks.iter().filter(|task| task.kind == TaskKind::Ai && !task.incomplete);
    for task in tasks.filter(|task| !task.only_chooses()) {
        if let Some(item) = &task.syntax.items.always_ask {
            let name = task.name();
            errors.add_with_help(
                item.key.span(),
                format!("task `{name}` asks its model anyway"),
                "leave `always_ask` out: a call is skipped only where a task has `transitions` and \
                 neither an output nor a prompt nor tools",
            );
        }
    }
}
