//! Checks inputs: every route to a task that takes inputs passes them, and the task uses them.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ext::IdentExt};

use crate::model::{Model, RESERVED, Task, find_mention};
use cot_syntax::{Piece, TaskKind, Template, With, diagnostics::Errors};

/// Checks that a transition or an arm of `next` passes inputs if and only if its target takes inputs.
pub(super) fn check_inputs_are_passed(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        if task.syntax.invalid.may_include(&["transitions", "next"]) {
            continue;
        }
        for edge in &task.transitions {
            let with = edge.syntax.with.as_ref();
            let given = with.map(|with| match with {
                With::Model(word) => word.to_token_stream(),
                With::Expr(expr) => expr.to_token_stream(),
            });
            let ways = "`with expression` or `with model`";
            check_inputs_at(&model.tasks[edge.target], &edge.syntax.target, given, ways, errors);
        }
        // The join of a parallel task is checked below.
        for edge in task.next.iter().filter(|_| task.kind != TaskKind::Parallel) {
            let given = edge.syntax.with.as_ref().map(ToTokens::to_token_stream);
            let ways = "`with expression`";
            check_inputs_at(&model.tasks[edge.target], &edge.syntax.target, given, ways, errors);
        }
    }
}

fn check_inputs_at(
    target: &Task<'_>,
    name: &Ident,
    given: Option<impl ToTokens>,
    ways: &str,
    errors: &Errors,
) {
    // The suggestion for a misspelled name is too uncertain.
    if target.syntax.invalid.may_include(&["inputs"]) || target.name().unraw() != name.unraw() {
        return;
    }
    match (&target.syntax.items.inputs, given) {
        (Some(inputs), None) => errors.add_with_help(
            name.span(),
            format!("task `{name}` takes inputs, but none are passed here"),
            format!("pass `{}`: write {ways} after it", type_name(&inputs.value)),
        ),
        (None, Some(given)) => errors.add_over_with_help(
            given,
            format!("task `{name}` takes no inputs"),
            format!("remove this `with`, or declare them: `task {name} {{ inputs: Type, … }}`"),
        ),
        _ => {}
    }
}

fn type_name(ty: &syn::Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}

/// Checks that no item that can't pass inputs leads to a task that takes inputs.
pub(super) fn check_inputs_can_be_passed(model: &Model<'_>, errors: &Errors) {
    let items = &model.syntax.items;
    let taking = model.tasks.iter().filter(|task| task.syntax.items.inputs.is_some());
    let taking: BTreeSet<_> = taking.map(|task| task.name().to_string()).collect();
    let report = |name: &Ident, what: &str| {
        if taking.contains(&name.to_string()) {
            errors.add_with_help(
                name.span(),
                format!("task `{name}` takes inputs, but {what} can't pass any"),
                "inputs come from a transition, from `next`, or from `process_output`: put a task in \
                 between that has one of these",
            );
        }
    };
    items.start.iter().for_each(|item| report(&item.value, "`start`"));
    items.default_return.iter().for_each(|item| report(&item.value, "`default_return`"));
    let members = items.sequences.iter().flat_map(|sequence| &sequence.members.0);
    members.for_each(|name| report(name, "a sequence"));
    for task in &model.tasks {
        let routes = task.on.iter().filter(|edge| !edge.syntax.has_more);
        routes.for_each(|edge| report(&edge.syntax.target, "`on`"));
        task.branches.iter().for_each(|edge| report(edge.syntax, "the start of a branch"));
        if task.kind == TaskKind::Parallel {
            task.next.iter().for_each(|edge| report(&edge.syntax.target, "a join"));
        }
    }
    if items.start.is_none() && !model.syntax.invalid.may_include(&["start"]) {
        model.tasks.iter().take(1).for_each(|task| check_first_task(task, errors));
    }
}

/// Checks that the first task, with which a process without `start` begins, takes no inputs.
fn check_first_task(task: &Task<'_>, errors: &Errors) {
    if let Some(inputs) = &task.syntax.items.inputs {
        errors.add_with_help(
            inputs.key.span(),
            format!("the process starts with task `{}`, which takes inputs", task.name()),
            "start with another task (`start: task`), or put what the task needs into the state",
        );
    }
}

/// Checks that a task uses its inputs.
pub(super) fn check_inputs_are_used(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.syntax.invalid.is_empty()) {
        let Some(inputs) = &task.syntax.items.inputs else {
            continue;
        };
        let computed = || task.expressions().into_iter().any(|(_, expr)| uses_inputs(expr));
        if has_function_with_inputs(task) || shows_inputs(model, task) || computed() {
            continue;
        }
        errors.add_with_help(
            inputs.key.span(),
            format!("nothing reads the inputs of task `{}`", task.name()),
            match task.kind {
                TaskKind::End => {
                    "an `end` task can't use them: write what you want to keep to the state before it"
                }
                _ => {
                    "show them, as in `${json(inputs)}`, or use them in a guard or an update; if \
                     nothing needs them, remove `inputs` and each `with` that leads here"
                }
            },
        );
    }
}

/// Returns whether a function of the task receives the inputs.
fn has_function_with_inputs(task: &Task<'_>) -> bool {
    let items = &task.syntax.items;
    items.run.is_some()
        || items.read.is_some()
        || items.check.is_some()
        || items.mock.is_some()
        || items.process_output.is_some()
}

fn shows_inputs(model: &Model<'_>, task: &Task<'_>) -> bool {
    model.task_templates(task.index).iter().any(|use_| match use_.template {
        Template::Function(_) => true,
        Template::Text(text) => {
            let shown = |piece: &Piece| match piece {
                Piece::Text(_) => false,
                Piece::Expr { expr, .. } => uses_inputs(expr),
            };
            !text.flaws.is_empty() || text.pieces.iter().any(shown)
        }
    })
}

fn uses_inputs(expr: &Expr) -> bool {
    find_mention(expr, "inputs").is_some()
}

/// Checks that the variable of a for-each task does not shadow a reserved name.
pub(super) fn check_item_names_are_free(model: &Model<'_>, errors: &Errors) {
    for for_each in model.tasks.iter().filter_map(|task| task.syntax.items.for_each.as_ref()) {
        let name = &for_each.value.item;
        if name != "item" && RESERVED.iter().any(|word| name == word) {
            errors.add_with_help(
                name.span(),
                format!("`{name}` already has a meaning in templates"),
                "give the item another name: `for_each: item in list`",
            );
        }
    }
}
