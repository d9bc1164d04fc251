//! Rules that depend on the kinds of tasks.

use cot_syntax::{
    TaskItems, TaskKind,
    diagnostics::{Errors, join_names},
};
use proc_macro2::Ident;

use super::rules_of;
use crate::model::{Model, Task};

/// Checks that the kind of every task is known.
pub(in crate::check) fn check_every_task_has_a_kind(model: &Model<'_>, errors: &Errors) {
    let unknown = |task: &&Task<'_>| task.kind == TaskKind::Unknown && !task.incomplete;
    // An invalid item may have been meant to determine the kind.
    for task in model.tasks.iter().filter(unknown).filter(|task| !task.kind_is_uncertain) {
        errors.add_with_help(
            task.name().span(),
            format!("the kind of task `{}` is not known", task.name()),
            TaskKind::DECIDED_BY,
        );
    }
}

/// Checks that no task has items of two kinds.
pub(in crate::check) fn check_no_task_has_two_kinds(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let Some([(kind, first), (other, second)]) = task.conflicting_kinds else {
            continue;
        };
        errors.add_with_help(
            second.span(),
            format!("task `{}` can't have both `{first}` and `{second}`", task.name()),
            format!(
                "`{first}` makes it {}, `{second}` {}: keep one of the two",
                kind.describe_exactly(),
                other.describe_exactly()
            ),
        );
    }
}

/// Checks that tasks have only items that their kind allows.
pub(in crate::check) fn check_items_fit_the_kind(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind_is_certain()) {
        for key in &task.syntax.keys {
            let row = TaskItems::TABLE.row(key);
            if !row.is_some_and(|row| row.kinds.contains(&task.kind)) {
                errors.add_with_help(
                    key.span(),
                    format!("`{key}` is not allowed in {}", task.kind.describe()),
                    why_misplaced(key, task),
                );
            }
        }
    }
}

fn why_misplaced(key: &Ident, task: &Task<'_>) -> String {
    let kind = task.kind;
    if let Some(help) = rules_of(kind).explain_misplaced(key) {
        return help.to_owned();
    }
    if kind.performs_work() {
        let kinds = TaskItems::TABLE.row(key).map_or(&[][..], |row| row.kinds);
        return format!("`{key}` is an item of {}", join_kinds(kinds, kind.is_each()));
    }
    let rows = TaskItems::TABLE.rows().iter().filter(|row| row.kinds.contains(&kind));
    let known = rows.map(|row| row.key);
    format!("{} has {}", kind.describe(), join_names(known))
}

/// Returns the names of kinds. For-each tasks are named as one, unless `tells_each_apart`.
fn join_kinds(kinds: &[TaskKind], tells_each_apart: bool) -> String {
    let is_first_each = |place: usize| !kinds[..place].iter().any(|kind| kind.is_each());
    let kinds = kinds.iter().enumerate().filter_map(|(place, kind)| match kind.is_each() {
        true if tells_each_apart => Some(kind.describe_exactly()),
        true => is_first_each(place).then_some(TaskKind::Each.describe()),
        false => Some(kind.describe()),
    });
    kinds.collect::<Vec<_>>().join(" or ")
}

/// Checks that a task has an output if its kind requires one, and none if its kind forbids it.
pub(in crate::check) fn check_outputs_fit_the_kind(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind_is_certain()) {
        rules_of(task.kind).check_output(task, errors);
    }
}

/// Checks that a task without an output has no items that need one.
pub(in crate::check) fn check_items_that_need_an_output(model: &Model<'_>, errors: &Errors) {
    let needs_output = |task: &&Task<'_>| task.output.is_none() && task.syntax.read().is_none();
    for task in model.tasks.iter().filter(|task| task.kind_is_certain() && needs_output(task)) {
        let needing = rules_of(task.kind).items_about_output();
        let name = task.name();
        for key in task.syntax.keys.iter().filter(|key| needing.iter().any(|it| key == it)) {
            let form = format!("declare one: `task {name} -> Output {{ … }}`");
            errors.add_with_help(
                key.span(),
                format!("`{key}` needs an output, but task `{name}` has none"),
                match key == "next" || key == "may_end" {
                    true => format!("{form}; without an output, the task leaves by a transition"),
                    false => form,
                },
            );
        }
    }
}
