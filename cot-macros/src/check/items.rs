//! Items and the kinds of tasks.

use proc_macro2::Ident;

use crate::{
    diagnostics::Errors,
    model::{Kind, Model, Task},
    syntax::TaskItems,
};

/// A process declares its state.
pub(super) fn check_state_is_declared(model: &Model<'_>, errors: &Errors) {
    if model.syntax.items.state.is_none() && !model.syntax.broken.any(&["state"]) {
        errors.error_with_help(
            model.syntax.name.span(),
            format!("process `{}` has no `state`", model.syntax.name),
            "name the type that its tasks share: `state: MyState`, for none `state: ()`",
        );
    }
}

/// A process has at least one task.
pub(super) fn check_there_are_tasks(model: &Model<'_>, errors: &Errors) {
    if model.tasks.is_empty() && !model.syntax.broken.any(&["task"]) {
        errors.error_with_help(
            model.syntax.name.span(),
            format!("process `{}` has no task", model.syntax.name),
            "declare one: `task name { … }`",
        );
    }
}

/// A task says what it is.
pub(super) fn check_every_task_has_a_kind(model: &Model<'_>, errors: &Errors) {
    let unknown = |task: &&Task<'_>| task.kind == Kind::Unknown && !task.blurred;
    // A misspelled `prompt` was to make it an AI task.
    let misspelled = |task: &&Task<'_>| task.syntax.broken.any(&["prompt", "full_prompt"]);
    for task in model.tasks.iter().filter(unknown).filter(|task| !misspelled(task)) {
        errors.error_with_help(
            task.name().span(),
            format!("nothing tells what task `{}` does", task.name()),
            "an AI task has an output (`-> Output`) or `transitions`, a gateway has `next`, \
             a terminal has `end` or `fail`",
        );
    }
}

/// An item stands only on tasks of a kind that knows it.
pub(super) fn check_items_fit_the_kind(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let (fits, has): (fn(&str) -> bool, _) = match task.kind {
            Kind::Gateway => (|key| key == "next", "`title`, `description` and `next`"),
            Kind::End => (|key| key == "end", "`title`, `description` and `end`"),
            Kind::Fail => (|key| key == "fail", "`title`, `description` and `fail`"),
            _ => continue,
        };
        for key in keys(&task.syntax.items) {
            if !fits(&key.to_string()) {
                errors.error_with_help(
                    key.span(),
                    format!("`{key}` has no place in {}", task.kind.describe()),
                    format!("{} has {has}", task.kind.describe()),
                );
            }
        }
        if let Some(output) = &task.syntax.output {
            errors.error_over_with_help(
                output,
                format!("{} has no output", task.kind.describe()),
                format!("{} has {has}", task.kind.describe()),
            );
        }
    }
}

/// What is about an output needs one.
pub(super) fn check_items_that_need_an_output(model: &Model<'_>, errors: &Errors) {
    let without = |task: &&Task<'_>| task.kind == Kind::Ai && task.syntax.output.is_none();
    for task in model.tasks.iter().filter(without) {
        let items = &task.syntax.items;
        let name = task.name();
        let needing = [
            items.update.as_ref().map(|item| &item.key),
            items.check.as_ref().map(|item| &item.key),
            items.process_output.as_ref().map(|item| &item.key),
            items.next.as_ref().map(|item| &item.key),
        ];
        for key in needing.into_iter().flatten() {
            let why = if key == "next" { "it leaves by a transition; " } else { "" };
            errors.error_with_help(
                key.span(),
                format!("`{key}` needs an output, and task `{name}` has none"),
                format!("{why}declare one: `task {name} -> Output {{ … }}`"),
            );
        }
    }
}

/// An AI task asks for an output or a choice.
pub(super) fn check_something_is_asked_for(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind == Kind::Ai && !task.blurred) {
        if task.syntax.output.is_none() && task.transitions.is_empty() {
            let name = task.name();
            errors.error_with_help(
                name.span(),
                format!("task `{name}` asks the model for nothing"),
                format!("give it an output (`task {name} -> Output`) or `transitions`"),
            );
        }
    }
}

/// Titles and descriptions are plain text.
pub(super) fn check_titles_are_plain(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let items = &task.syntax.items;
        for item in items.title.iter().chain(&items.description) {
            if item.value.value().contains("${") {
                errors.error_with_help(
                    item.value.span(),
                    format!("`{}` is plain text: `${{` means nothing in it", item.key),
                    "templates are prompts, primers, labels, `goal` and `fail`",
                );
            }
        }
    }
}

/// A terminal's name leaves the outcome's own variants alone.
pub(super) fn check_names_of_terminals(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind.is_terminal()) {
        if task.name() == "halted" || task.name() == "ran_out" {
            errors.error_with_help(
                task.name().span(),
                format!("a terminal can't be called `{}`", task.name()),
                "the outcome of a run has a variant of this name already",
            );
        }
    }
}

/// The keys of a task that only some kinds know.
fn keys(items: &TaskItems) -> Vec<&Ident> {
    macro_rules! keys {
        ($($item:ident),*) => {
            [$(items.$item.as_ref().map(|item| &item.key)),*].into_iter().flatten().collect()
        };
    }
    keys!(
        prompt,
        full_prompt,
        transitions,
        update,
        check,
        process_output,
        next,
        model,
        max_retries,
        temperature,
        max_tokens,
        timeout,
        no_history,
        errors_primer,
        end,
        fail
    )
}
