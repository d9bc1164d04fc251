//! Rules for terminals.

use cot_syntax::diagnostics::Errors;

use super::kind_rules::KindRules;
use crate::model::Task;

pub(super) struct TerminalRules;

impl KindRules for TerminalRules {
    fn check_output(&self, task: &Task<'_>, errors: &Errors) {
        if let Some(output) = &task.output {
            errors.add_over_with_help(
                output,
                "a terminal can't have an output",
                "declare the output on a task before it",
            );
        }
    }
}
