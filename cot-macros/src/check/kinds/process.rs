//! Rules for sub-processes.

use cot_syntax::diagnostics::Errors;

use super::kind_rules::KindRules;
use crate::model::{Model, Task};

pub(super) struct SubProcessRules;

impl KindRules for SubProcessRules {
    fn check_output(&self, task: &Task<'_>, errors: &Errors) {
        if let Some(output) = &task.output {
            errors.add_over_with_help(
                output,
                "a sub-process can't declare an output",
                "its output is the final state of the process that it runs: remove the type",
            );
        }
    }

    fn failures(&self, _: &Task<'_>) -> &'static [&'static str] {
        &["exhausted", "timeout", "budget", "interrupted"]
    }
}

/// Checks that a process does not run itself. Indirect recursion is found when constants are evaluated.
pub(in crate::check) fn check_no_process_runs_itself(model: &Model<'_>, errors: &Errors) {
    let name = &model.syntax.name;
    for item in model.tasks.iter().filter_map(|task| task.syntax.items.process.as_ref()) {
        let path = &item.value.path;
        if item.value.refers_to(name) {
            errors.add_over_with_help(
                path,
                format!("process `{name}` would run itself without end"),
                "a sub-process is another process; to continue in this one, lead to a task with `next`",
            );
        }
    }
}
