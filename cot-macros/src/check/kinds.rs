//! The kinds of tasks, and what stands on each.

use proc_macro2::Ident;

use crate::model::{Model, Task};
use cot_syntax::{
    TaskItems, TaskKind,
    diagnostics::{Errors, one_of},
};

use TaskKind::{Ai, Code, Each, End, Fail, Gateway, Human, Process};

/// A task says what it is.
pub(super) fn check_every_task_has_a_kind(model: &Model<'_>, errors: &Errors) {
    let unknown = |task: &&Task<'_>| task.kind == TaskKind::Unknown && !task.blurred;
    // What could not be read may have been meant to tell.
    for task in model.tasks.iter().filter(unknown).filter(|task| !task.kind_is_hidden) {
        errors.error_with_help(
            task.name().span(),
            format!("nothing tells what task `{}` does", task.name()),
            "an AI task has an output (`-> Output`), `reason` or `transitions`, a code task has `run`, \
             a human task has `ask`, a sub-process has `process`, a gateway has `next`, \
             a terminal has `end` or `fail`",
        );
    }
}

/// A task is one thing.
pub(super) fn check_no_task_has_two_kinds(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let Some([(kind, first), (other, second)]) = task.conflicting_kinds else {
            continue;
        };
        errors.error_with_help(
            second.span(),
            format!("task `{}` is told two kinds, by `{first}` and by `{second}`", task.name()),
            format!(
                "`{first}` makes it {}, `{second}` {}: keep one of the two",
                kind.describe_exactly(),
                other.describe_exactly()
            ),
        );
    }
}

/// An item stands only on tasks of a kind that knows it.
pub(super) fn check_items_fit_the_kind(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| is_sure(task)) {
        for key in &task.syntax.keys {
            let row = TaskItems::TABLE.row(key);
            if !row.is_some_and(|row| row.kinds.contains(&task.kind)) {
                errors.error_with_help(
                    key.span(),
                    format!("`{key}` has no place in {}", task.kind.describe()),
                    why_misplaced(key, task.kind),
                );
            }
        }
    }
}

/// An async check looks at one output: the items of a for-each task have none.
pub(super) fn check_async_checks_are_of_one_output(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind == Each) {
        let check = task.syntax.items.check.as_ref().map(|item| &item.value);
        if let Some(word) = check.and_then(|check| check.is_async) {
            errors.error_with_help(
                word.span,
                "an async `check` has no place in a for-each task",
                "check the outputs in a code task behind it, or write the check without `async`",
            );
        }
    }
}

fn why_misplaced(key: &Ident, kind: TaskKind) -> String {
    if key == "check" && kind == Code {
        return "what `run` gives is checked in Rust: return an error from it".to_owned();
    }
    if !matches!(kind, Gateway | End | Fail) {
        let kinds = TaskItems::TABLE.row(key).map_or(&[][..], |row| row.kinds);
        let kinds: Vec<_> = kinds.iter().map(|kind| kind.describe()).collect();
        return format!("`{key}` is an item of {}", kinds.join(" or "));
    }
    let rows = TaskItems::TABLE.rows().iter().filter(|row| row.kinds.contains(&kind));
    let known = rows.map(|row| row.key);
    format!("{} has {}", kind.describe(), one_of(known))
}

/// A task has an output where its kind gives one, and else none.
pub(super) fn check_outputs_fit_the_kind(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| is_sure(task)) {
        let name = task.name();
        match (&task.output, task.kind) {
            (None, Each | Human) => errors.error_with_help(
                name.span(),
                format!("{} needs an output, and `{name}` has none", task.kind.describe()),
                match task.kind {
                    Each => {
                        format!("say what each item gives: `task {name} -> Output {{ … }}`")
                    }
                    _ => format!("say what is to be answered: `task {name} -> Output {{ … }}`"),
                },
            ),
            (Some(output), Process) => errors.error_over_with_help(
                output,
                "a sub-process declares no output",
                "its output is the final state of the process that it runs: remove the type",
            ),
            (Some(output), End | Fail) => errors.error_over_with_help(
                output,
                "a terminal has no output",
                "let a task before it give the output",
            ),
            _ => {}
        }
    }
}

/// What is about an output needs one.
pub(super) fn check_items_that_need_an_output(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| is_sure(task) && task.output.is_none()) {
        let needing: &[&str] = match task.kind {
            Ai => &["update", "check", "process_output", "next", "may_end"],
            Code => &["update", "process_output"],
            _ => continue,
        };
        let name = task.name();
        for key in task.syntax.keys.iter().filter(|key| needing.iter().any(|it| key == it)) {
            let why =
                if key == "next" || key == "may_end" { "it leaves by a transition; " } else { "" };
            errors.error_with_help(
                key.span(),
                format!("`{key}` needs an output, and task `{name}` has none"),
                format!("{why}declare one: `task {name} -> Output {{ … }}`"),
            );
        }
    }
}

/// A task that reasons asks for nothing else, in no other words.
pub(super) fn check_nothing_stands_beside_reason(model: &Model<'_>, errors: &Errors) {
    let reasoning = |task: &&Task<'_>| is_sure(task) && task.syntax.reason().is_some();
    for task in model.tasks.iter().filter(reasoning) {
        if let Some(output) = &task.syntax.output {
            errors.error_over_with_help(
                output,
                "a task that reasons declares no output",
                "its output is `cot_core::reasoning::Reasoning`: remove the type",
            );
        }
        for key in &task.syntax.keys {
            if let Some((_, help)) = BESIDE_REASON.iter().find(|(word, _)| key == word) {
                let message = format!("`{key}` can't stand beside `reason`");
                errors.error_with_help(key.span(), message, *help);
            }
        }
    }
}

/// What can't stand beside `reason`, and what to do about it.
const BESIDE_REASON: &[(&str, &str)] = &[
    ("prompt", "`reason` is the prompt of a task that reasons: write all of it there"),
    (
        "full_prompt",
        "the prompt of a task that reasons ends with how to think: leave `full_prompt` out",
    ),
    (
        "transitions",
        "a task that reasons does not choose: let it go on to a task that does, with `next`",
    ),
];

/// An AI task asks for an output or a choice.
pub(super) fn check_something_is_asked_for(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind == Ai && !task.blurred) {
        if task.output.is_none() && task.transitions.is_empty() {
            let name = task.name();
            errors.error_with_help(
                name.span(),
                format!("task `{name}` asks the model for nothing"),
                format!(
                    "give it an output (`task {name} -> Output`) or `transitions`, or write `reason` \
                     for `prompt`"
                ),
            );
        }
    }
}

/// A process does not run itself; that it does so through others, rustc finds.
pub(super) fn check_no_process_runs_itself(model: &Model<'_>, errors: &Errors) {
    let name = &model.syntax.name;
    for item in model.tasks.iter().filter_map(|task| task.syntax.items.process.as_ref()) {
        let path = &item.value.path;
        if item.value.names(name) {
            errors.error_over_with_help(
                path,
                format!("process `{name}` would run itself without end"),
                "a sub-process is another process; to go on in this one, lead to a task with `next`",
            );
        }
    }
}

/// Whether it is known what the task is meant to be.
fn is_sure(task: &Task<'_>) -> bool {
    task.kind != TaskKind::Unknown && task.conflicting_kinds.is_none() && !task.kind_is_hidden
}
