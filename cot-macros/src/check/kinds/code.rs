//! Rules for code tasks.

use proc_macro2::Ident;

use super::kind_rules::KindRules;
use crate::model::Task;

pub(super) struct CodeRules;

impl KindRules for CodeRules {
    fn items_about_output(&self) -> &'static [&'static str] {
        &["update", "process_output"]
    }

    fn failures(&self, _: &Task<'_>) -> &'static [&'static str] {
        &["exhausted", "timeout", "unreachable"]
    }

    fn explain_misplaced(&self, key: &Ident) -> Option<&'static str> {
        let help = "check the output in the function of `run`, and return an error from it";
        (key == "check").then_some(help)
    }
}
