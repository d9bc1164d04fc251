//! Rules for tasks of tool calls.

use cot_syntax::{TaskKind, diagnostics::Errors};
use proc_macro2::Ident;

use super::kind_rules::KindRules;
use crate::model::{Model, Task};

pub(super) struct CallsRules;

impl KindRules for CallsRules {
    fn check_output(&self, task: &Task<'_>, errors: &Errors) {
        if task.output.is_none() {
            let name = task.name();
            errors.add_with_help(
                name.span(),
                format!("{} needs an output, but `{name}` has none", task.kind.describe()),
                format!(
                    "declare the round, which has the calls with their results: `task {name} -> ToolRound {{ … }}`"
                ),
            );
        }
    }

    fn failures(&self, task: &Task<'_>) -> &'static [&'static str] {
        match task.may_call_once {
            true => &["exhausted", "timeout", "interrupted"],
            false => &["exhausted", "timeout"],
        }
    }

    fn explain_failure(&self, _: &Task<'_>, when: &Ident) -> Option<&'static str> {
        let help = "only a tool with `effect: once` can be interrupted, and this task has none";
        (when == "interrupted").then_some(help)
    }

    fn explain_misplaced(&self, key: &Ident) -> Option<&'static str> {
        Some(match key.to_string().as_str() {
            "check" => "check the results in `process_output`, and return an error from it",
            "max_retries" | "retry" => {
                "a failed call is retried by the rules of its tool: `tools: { name: f \"…\" { retry: … } }`"
            }
            "effect" => "each tool has its own: `tools: { name: f \"…\" { effect: once } }`",
            _ => return None,
        })
    }
}

/// Checks that a task of tool calls has tools.
pub(in crate::check) fn check_calls_have_tools(model: &Model<'_>, errors: &Errors) {
    let certain = |task: &&Task<'_>| task.kind == TaskKind::Calls && task.kind_is_certain();
    for task in model.tasks.iter().filter(certain) {
        let items = &task.syntax.items;
        let has_tools = items.tools.is_some() || task.syntax.invalid.may_include(&["tools"]);
        if let Some(calls) = items.calls.as_ref().filter(|_| !has_tools) {
            errors.add_with_help(
                calls.key.span(),
                format!("task `{}` performs calls, but has no tools", task.name()),
                "name the tools that can be called: `tools: [name]`",
            );
        }
    }
}
