//! Checks the tools of a process, and their uses in tasks.

use std::collections::BTreeSet;

use cot_syntax::{
    EffectValue, HistoryValue, ProcessItems, RetryItems, Tool, ToolWork, diagnostics::Errors,
};
use proc_macro2::Span;
use syn::{Ident, ext::IdentExt as _};

use crate::model::{Model, is_once};

/// The maximum length of a name that vendors accept.
const MAX_NAME: usize = 64;

/// Checks that no two entries of `tools` have the same name, and that models see no two tools of the same name.
pub(super) fn check_tools_are_distinct(model: &Model<'_>, errors: &Errors) {
    let (mut declared, mut callable) = (BTreeSet::new(), BTreeSet::new());
    for tool in &model.tools {
        let own = (tool.name.unraw().to_string(), tool.name.span());
        let is_new = declared.insert(own.0.clone());
        let mut taken: Vec<_> = callable_names(tool)
            .into_iter()
            .filter(|(name, _)| !callable.insert(name.clone()) && (is_new || *name != own.0))
            .collect();
        if !is_new {
            taken.insert(0, own);
        }
        for (name, span) in taken {
            errors.add_with_help(
                span,
                format!("tool `{name}` is declared twice"),
                "models call a tool by its name: remove one of the two, or give it another name",
            );
        }
    }
}

/// Returns the names by which models call a tool: its own, or those of the tools of a source.
fn callable_names(tool: &Tool) -> Vec<(String, Span)> {
    match tool.work {
        ToolWork::Function { .. } => vec![(tool.name.unraw().to_string(), tool.name.span())],
        ToolWork::Source(_) => {
            tool.named().iter().map(|name| (name.name.clone(), name.span)).collect()
        }
    }
}

/// Checks that vendors accept the names of the tools.
pub(super) fn check_names_are_accepted(model: &Model<'_>, errors: &Errors) {
    for (name, span) in model.tools.iter().flat_map(|tool| callable_names(tool)) {
        let is_letter =
            |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        let help = if name.is_empty() {
            "write the name of the tool".to_owned()
        } else if let Some(other) = name.chars().find(|letter| !is_letter(*letter)) {
            format!("`{other}` is not allowed: use letters of ASCII, digits, `_` and `-`")
        } else if name.len() > MAX_NAME {
            format!("it has {} characters: use at most {MAX_NAME}", name.len())
        } else {
            continue;
        };
        errors.add_with_help(span, format!("a tool can't be called `{name}`"), help);
    }
}

/// Checks that every function has a description, and that it is plain text.
pub(super) fn check_tools_are_described(model: &Model<'_>, errors: &Errors) {
    for tool in &model.tools {
        let ToolWork::Function { description, .. } = &tool.work else { continue };
        let name = &tool.name;
        match description {
            Some(text) if text.value().contains("${") => errors.add_with_help(
                text.span(),
                "the description of a tool is plain text: `${` has no effect in it",
                "say in the prompt what depends on the run",
            ),
            Some(text) if !text.value().trim().is_empty() => {}
            _ => errors.add_with_help(
                name.span(),
                format!("tool `{name}` has no description"),
                format!("say what it does: `{name}: function \"what it does\"`"),
            ),
        }
    }
}

/// Checks that the settings of a tool apply to a function or to a source.
pub(super) fn check_settings_fit_the_tool(model: &Model<'_>, errors: &Errors) {
    for tool in &model.tools {
        let (name, only) = (&tool.name, &tool.items.only);
        match (&tool.work, only) {
            (ToolWork::Function { .. }, Some(only)) => errors.add_with_help(
                only.key.span(),
                format!("tool `{name}` is a function, and has no tools to choose from"),
                format!("remove `only`, or write `{name}: source app.{name} {{ only: [tool] }}`"),
            ),
            (ToolWork::Source(_), None) if !tool.has_invalid_items => errors.add_with_help(
                name.span(),
                format!("source `{name}` has no `only`"),
                "name the tools that can be called, `{ only: [read_file, list_directory] }`, or write `only: all` if \
                 the source is code of the program",
            ),
            (ToolWork::Source(_), Some(only)) if !tool.takes_all() && tool.named().is_empty() => errors.add_with_help(
                only.key.span(),
                format!("source `{name}` offers no tool"),
                "name the tools that models may call: `only: [read_file, list_directory]`",
            ),
            _ => {}
        }
        if let (ToolWork::Source(_), Some(found_in)) = (&tool.work, &tool.items.found_in) {
            errors.add_with_help(
                found_in.key.span(),
                "a source of tools has no `found_in`",
                "let a person approve each call, `approve: person`, or declare a function that calls the tool",
            );
        }
        if let (ToolWork::Source(_), Some(mock)) = (&tool.work, &tool.items.mock) {
            errors.add_with_help(
                mock.key.span(),
                "a source of tools has no `mock`",
                "put another source into the context, which answers in place of the real one",
            );
        }
    }
}

/// Checks that a tool that is called once is not called again after a time-out, whose outcome is unknown.
pub(super) fn check_timeouts_of_once_are_not_retried(model: &Model<'_>, errors: &Errors) {
    for tool in model.tools.iter().filter(|tool| is_once(&tool.items.effect)) {
        let retry = tool.items.retry.as_ref().map(|retry| &retry.value);
        if let Some(RetryItems { timeouts: Some(timeouts), .. }) = retry {
            errors.add_with_help(
                timeouts.key.span(),
                "`timeouts` can't be combined with `effect: once`",
                "after a time-out it is not known whether the call took effect: remove `timeouts`",
            );
        }
    }
}

/// Checks that no tool is called in a transaction.
pub(super) fn check_no_tool_is_a_transaction(model: &Model<'_>, errors: &Errors) {
    let effects = model.tools.iter().filter_map(|tool| tool.items.effect.as_ref());
    for effect in effects.filter(|effect| effect.value == EffectValue::Transaction) {
        errors.add_with_help(
            effect.key.span(),
            "a tool can't be called in a transaction",
            "let the tool return what is to be written, and write it in a task with `run` and `effect: transaction`",
        );
    }
}

/// Checks that a task names a tool only once, and at least one.
pub(super) fn check_uses_are_distinct(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let items = &task.syntax.items;
        let has_tools = has_tools(task.syntax) || task.syntax.read().is_some();
        if let Some(limit) = items.max_tool_calls.as_ref().filter(|_| !has_tools) {
            errors.add_with_help(
                limit.key.span(),
                format!("task `{}` calls no tools", task.name()),
                "name them: `tools: [name]`, or remove `max_tool_calls`",
            );
        }
        let Some(tools) = &items.tools else { continue };
        if tools.value.is_empty() && !task.syntax.invalid.may_include(&["tools"]) {
            errors.add_with_help(
                tools.key.span(),
                "`tools` names no tool",
                "name one: `tools: [name]`, or leave `tools` out",
            );
        }
        let mut named = BTreeSet::new();
        for name in tools.value.iter().map(|used| &used.name) {
            if !named.insert(name.unraw().to_string()) {
                let message = format!("tool `{name}` is named twice");
                errors.add_with_help(name.span(), message, "remove one of the two");
            }
        }
    }
}

fn has_tools(task: &cot_syntax::Task) -> bool {
    task.items.tools.is_some() || task.invalid.may_include(&["tools"])
}

/// Checks that a task uses each tool.
pub(super) fn check_tools_are_used(model: &Model<'_>, errors: &Errors) {
    let hidden = model.tasks.iter().any(|task| task.syntax.invalid.may_include(&["tools"]));
    if hidden || model.syntax.invalid.may_include(&["task"]) {
        return;
    }
    let used: BTreeSet<_> =
        model.tasks.iter().flat_map(|task| &task.tools).map(|used| used.tool).collect();
    let mut names: BTreeSet<&Ident> = BTreeSet::new();
    for (index, tool) in model.tools.iter().enumerate() {
        let name = &tool.name;
        // A duplicate is reported by another check.
        if names.insert(name) && !used.contains(&index) {
            errors.add_with_help(
                name.span(),
                format!("no task uses the tool `{name}`"),
                format!("name it in a task, `tools: [{name}]`, or remove it"),
            );
        }
    }
}

/// Checks that settings of the process about tools apply to some.
pub(super) fn check_there_are_tools(model: &Model<'_>, errors: &Errors) {
    let ProcessItems { tools, max_tool_calls, history, .. } = &model.syntax.items;
    if !model.tools.is_empty() || model.syntax.invalid.may_include(&["tools"]) {
        return;
    }
    let help = "declare them: `tools: { name: function \"what it does\" }`";
    if let Some(tools) = tools {
        errors.add_with_help(tools.key.span(), "`tools` declares no tool", help);
        return;
    }
    let of_history = match history.as_ref().map(|item| &item.value) {
        Some(HistoryValue::Limits(items)) => items.tools.as_ref().map(|item| &item.key),
        _ => None,
    };
    for key in max_tool_calls.iter().map(|item| &item.key).chain(of_history) {
        errors.add_with_help(key.span(), "this process has no tools", help);
    }
}
