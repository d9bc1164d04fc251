//! What the rules ask of each kind of task.

use cot_syntax::diagnostics::Errors;
use proc_macro2::Ident;

use crate::model::Task;

/// The rules of one kind of task.
pub(in crate::check) trait KindRules {
    /// Reports the output that a task must not have, or the one that it lacks.
    fn check_output(&self, _task: &Task<'_>, _errors: &Errors) {}

    /// The items that are about an output, and need one.
    fn items_about_output(&self) -> &'static [&'static str] {
        &[]
    }

    /// The words of `on` for what can go wrong; none where the kind has no `on`.
    fn failures(&self, _task: &Task<'_>) -> &'static [&'static str] {
        &[]
    }

    /// Says what to do instead of a route for what can't happen.
    fn explain_failure(&self, _when: &Ident) -> Option<&'static str> {
        None
    }

    /// Says what to do instead of an item that the kind does not have.
    fn explain_misplaced(&self, _key: &Ident) -> Option<&'static str> {
        None
    }
}

/// Reports that a task has no output.
pub(super) fn report_missing_output(task: &Task<'_>, why: &str, errors: &Errors) {
    let name = task.name();
    errors.add_with_help(
        name.span(),
        format!("{} needs an output, and `{name}` has none", task.kind.describe()),
        format!("{why}: `task {name} -> Output {{ … }}`"),
    );
}
