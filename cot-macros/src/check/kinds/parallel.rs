//! Rules for parallel tasks.

use cot_syntax::ON_FAILURES;
use proc_macro2::Ident;

use super::kind_rules::KindRules;
use crate::model::Task;

pub(super) struct ParallelRules;

impl KindRules for ParallelRules {
    fn failures(&self, _: &Task<'_>) -> &'static [&'static str] {
        &ON_FAILURES
    }

    fn explain_misplaced(&self, key: &Ident) -> Option<&'static str> {
        let help = "the task after the branches follows the arrow: `parallel name [first, second] => join`";
        (key == "next").then_some(help)
    }
}
