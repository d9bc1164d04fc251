//! Checks the items of a process and the plain values of items.

use crate::model::{Model, same_tokens};
use cot_syntax::{Engines, TaskItems, ToolWork, ValueView, diagnostics::Errors};

/// Checks that the process declares its state.
pub(super) fn check_state_is_declared(model: &Model<'_>, errors: &Errors) {
    if model.syntax.items.state.is_none() && !model.syntax.invalid.may_include(&["state"]) {
        errors.add_with_help(
            model.syntax.name.span(),
            format!("process `{}` has no `state`", model.syntax.name),
            "name the type that its tasks share: `state: MyState`, or `state: ()` for none",
        );
    }
}

/// Checks that a process whose expressions use `app` declares its context.
pub(super) fn check_the_context_is_declared(model: &Model<'_>, errors: &Errors) {
    let sources = model.tools.iter().filter_map(|tool| match &tool.work {
        ToolWork::Source(expr) => Some(&**expr),
        ToolWork::Function { .. } => None,
    });
    let contexts = model.tasks.iter().filter_map(|task| task.syntax.items.context.as_ref());
    let used = sources.chain(contexts.map(|item| &item.value));
    let missing = used.into_iter().find_map(|expr| model.missing_context(expr));
    if let Some(app) = missing.filter(|_| !model.syntax.invalid.may_include(&["context"])) {
        errors.add_with_help(
            app.span(),
            "`app` is the context of the process, which declares none",
            "declare the type of what the program gives to the functions: `context: App`",
        );
    }
}

/// Checks that the process has at least one task.
pub(super) fn check_there_are_tasks(model: &Model<'_>, errors: &Errors) {
    if model.tasks.is_empty() && !model.syntax.invalid.may_include(&["task"]) {
        errors.add_with_help(
            model.syntax.name.span(),
            format!("process `{}` has no task", model.syntax.name),
            "declare one: `task name { … }`",
        );
    }
}

/// Checks that texts that are not templates, such as titles, do not contain `${`.
pub(super) fn check_texts_are_plain(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        for (_, item) in TaskItems::TABLE.items(&task.syntax.items) {
            let ValueView::Text(text) = item.value else { continue };
            if text.value().contains("${") {
                errors.add_with_help(
                    text.span(),
                    format!("`{}` is plain text: `${{` has no effect in it", item.key),
                    "templates are prompts, primers, labels, `goal` and `fail`",
                );
            }
        }
    }
}

/// Checks that no terminal has the name of a predefined variant of the outcome.
pub(super) fn check_names_of_terminals(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind.is_terminal()) {
        if task.name() == "halted" || task.name() == "ran_out" {
            errors.add_with_help(
                task.name().span(),
                format!("a terminal can't be called `{}`", task.name()),
                "the outcome of a run already has a variant of this name",
            );
        }
    }
}

/// Checks that a list of engines names at least one engine, and each only once.
pub(super) fn check_engines_are_distinct(model: &Model<'_>, errors: &Errors) {
    let tasks = model.tasks.iter().filter_map(|task| task.syntax.items.model.as_ref());
    for item in model.syntax.items.model.iter().chain(tasks) {
        let Engines(engines) = &item.value;
        if engines.is_empty() {
            errors.add_with_help(
                item.key.span(),
                "`model` names no engine",
                "name one: `model: \"engine id\"`, or leave `model` out",
            );
        }
        for (index, engine) in engines.iter().enumerate() {
            if engines[..index].iter().any(|other| same_tokens(other, engine)) {
                errors.add_over_with_help(
                    engine,
                    format!("engine `{}` is named twice", engine.name()),
                    "engines are tried in order, each once: remove one of the two",
                );
            }
        }
    }
}
