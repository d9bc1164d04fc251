//! Rules for code tasks.

use proc_macro2::Ident;

use super::kind_rules::KindRules;
use crate::model::Task;

pub(super) struct CodeRules;

impl KindRules for CodeRules {
    fn items_about_output(&self) -> &'static [&'static str] {
        &["update", "process_output"]
    }

    fn failures(&self, task: &Task<'_>) -> &'static [&'static str] {
        match task.is_once() {
            true => &["exhausted", "timeout", "unreachable", "interrupted"],
            false => &["exhausted", "timeout", "unreachable"],
        }
    }

    fn explain_failure(&self, _: &Task<'_>, when: &Ident) -> Option<&'static str> {
        let help = "only a call with `effect: once` can be interrupted: any other is made again after a crash";
        (when == "interrupted").then_some(help)
    }

    fn explain_misplaced(&self, key: &Ident) -> Option<&'static str> {
        let help = "check the output in the function of `run`, and return an error from it";
        ["check", "found_in"].iter().any(|word| key == word).then_some(help)
    }
}
