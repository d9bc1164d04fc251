//! Rules for human tasks.

use cot_syntax::diagnostics::Errors;
use proc_macro2::Ident;

use super::kind_rules::{KindRules, report_missing_output};
use crate::model::Task;

pub(super) struct HumanRules;

impl KindRules for HumanRules {
    fn check_output(&self, task: &Task<'_>, errors: &Errors) {
        if task.output.is_none() {
            report_missing_output(task, "declare the type of the answer", errors);
        }
    }

    fn failures(&self, task: &Task<'_>) -> &'static [&'static str] {
        match task.syntax.items.max_retries.is_some() {
            true => &["exhausted", "timeout"],
            false => &["timeout"],
        }
    }

    fn explain_failure(&self, _: &Task<'_>, when: &Ident) -> Option<&'static str> {
        let help =
            "a person is asked again until the answer is valid: set `max_retries` to limit this";
        (when == "exhausted").then_some(help)
    }
}
