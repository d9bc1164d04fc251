//! The interface between the rules and the kinds of tasks.

use cot_syntax::{TaskKind, diagnostics::Errors};
use proc_macro2::Ident;

use crate::model::Task;

/// The rules of one kind of task.
pub(in crate::check) trait KindRules {
    /// Reports an output that the kind does not allow, or a missing one.
    fn check_output(&self, _task: &Task<'_>, _errors: &Errors) {}

    /// Returns the items that are only valid if the task has an output.
    fn items_about_output(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the failures that `on` can route; empty if the kind does not support `on`.
    fn failures(&self, _task: &Task<'_>) -> &'static [&'static str] {
        &[]
    }

    /// Returns the help text for a route of a failure that can't occur, if there is a special one.
    fn explain_failure(&self, _task: &Task<'_>, _when: &Ident) -> Option<&'static str> {
        None
    }

    /// Returns the help text for an item that the kind does not allow, if there is a special one.
    fn explain_misplaced(&self, _key: &Ident) -> Option<&'static str> {
        None
    }
}

/// Reports that a task has no output.
pub(super) fn report_missing_output(task: &Task<'_>, why: &str, errors: &Errors) {
    let name = task.name();
    let kind = if task.kind.is_each() { TaskKind::Each } else { task.kind };
    errors.add_with_help(
        name.span(),
        format!("{} needs an output, but `{name}` has none", kind.describe()),
        format!("{why}: `task {name} -> Output {{ … }}`"),
    );
}
