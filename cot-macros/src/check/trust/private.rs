//! The rule that only listed engines are shown private values.

use cot_syntax::{Engine, Engines, StateField, Tool, ToolWork, diagnostics::Errors};

use super::{
    facts::Fact, finding::Finding, flow::Flow, marks::Mark, path::path_to, processes::passed,
};
use crate::{
    check::proof::sites::Sites,
    model::{Model, Task, same_tokens},
};

/// Checks that each engine of a task that is shown private values is listed.
pub(super) fn check_engines(model: &Model<'_>, errors: &Errors) {
    let items = &model.syntax.items;
    if !model.state_fields().iter().any(StateField::is_private) {
        if let Some(private) = &items.private {
            errors.add_with_help(
                private.key.span(),
                "no value of the process is private",
                "mark the fields that only these engines may be shown, `private name: String`, or remove the list",
            );
        }
        return;
    }
    let listed = items.private.as_ref().map_or(&[][..], |item| &item.value.0);
    let flow = Flow::new(model, &Sites::from_model(model), Mark::Private);
    let tasks = model.tasks.iter().filter(|task| task.kind.asks_model());
    for task in tasks.filter(|task| flow.holds(task.index, Fact::Shown)) {
        check_task(model, task, listed, &flow, errors);
    }
    for task in &model.tasks {
        let passed = passed(model, &flow, task, Mark::Private);
        if let Some(passed) = passed.filter(|finding| finding.condition.is_none()) {
            passed.report(errors);
        }
        check_sources(model, task, &flow, errors);
    }
}

/// Checks that a task which is shown private values passes none to the tools of a source, which are those of another
/// program, without an approval.
fn check_sources(model: &Model<'_>, task: &Task<'_>, flow: &Flow, errors: &Errors) {
    let is_shown = flow.holds(task.index, Fact::Shown);
    let is_open = |tool: &&Tool| {
        is_shown && matches!(tool.work, ToolWork::Source(_)) && tool.items.approve.is_none()
    };
    let mut used = task.tools.iter().map(|used| model.tools[used.tool]);
    let Some(tool) = used.find(is_open) else { return };
    let name = task.name();
    let called = format!("the tools of `{}`", tool.name);
    let path = path_to(model, flow, task.index, Fact::Shown, &called);
    let help = "let a person approve each call, `approve: person`, or call a function of yours, which decides what it passes";
    errors.add_with_notes(
        name.span(),
        &format!("task `{name}` is shown a private value, and can pass it to {called}"),
        &[("note", &path), ("help", help)],
    );
}

/// Returns the private values that tasks pass to fields of sub-processes, which have engines of their own. rustc knows
/// whether these are marked.
pub(crate) fn passed_private<'a>(model: &Model<'a>) -> Vec<Finding<'a>> {
    if !model.state_fields().iter().any(StateField::is_private) || model.incomplete {
        return Vec::new();
    }
    let flow = Flow::new(model, &Sites::from_model(model), Mark::Private);
    let passed = model.tasks.iter().filter_map(|task| passed(model, &flow, task, Mark::Private));
    passed.filter(|finding| finding.condition.is_some()).collect()
}

fn check_task(model: &Model<'_>, task: &Task<'_>, listed: &[Engine], flow: &Flow, errors: &Errors) {
    let name = task.name();
    let engines = task.syntax.items.model.as_ref().or(model.syntax.items.model.as_ref());
    let path = path_to(model, flow, task.index, Fact::Shown, &format!("task `{name}`"));
    let report = |message: &str, help: String| {
        errors.add_with_notes(name.span(), message, &[("note", &path), ("help", &help)]);
    };
    let Some(Engines(engines)) = engines.map(|item| &item.value) else {
        let message = format!("task `{name}` is shown a private value, and names no engine");
        let help = "name one that may be shown it, `model: \"local\"`, and list it in the process, \
                    `private: [\"local\"]`";
        return report(&message, help.to_owned());
    };
    let is_listed = |engine: &&Engine| listed.iter().any(|other| same_tokens(other, *engine));
    for engine in engines.iter().filter(|engine| !is_listed(engine)) {
        let message = format!(
            "task `{name}` shows a private value to engine `{}`, which is not listed",
            engine.name()
        );
        let help = "use an engine of the list for the task, also in fallbacks; or add this one, `private: [\"id\"]`";
        report(&message, help.to_owned());
    }
}
