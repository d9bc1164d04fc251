//! The rules that no mark and no exception is without use.

use cot_syntax::{EffectValue, Item, Names, TaskKind, diagnostics::Errors};

use super::{
    effects::{all_findings, listed_name},
    facts::Fact,
    flow::Flow,
    marks::Mark,
};
use crate::{
    check::{fields, proof::sites::Sites},
    model::{Model, Task},
};

/// Checks that each mark and each exception has an effect.
pub(super) fn check_marks_are_used(model: &Model<'_>, errors: &Errors) {
    check_marked_fields_are_read(model, errors);
    let says = |task: &Task<'_>| task.trusts() || task.syntax.items.clears.is_some();
    if model.tasks.iter().any(says) {
        let sites = Sites::from_model(model);
        let flows =
            [Mark::Untrusted, Mark::Private].map(|mark| (mark, Flow::new(model, &sites, mark)));
        check_exceptions(model, &sites, &flows[0].1, errors);
        for (mark, flow) in flows {
            let clearing = model.tasks.iter().filter(|task| mark.is_cleared_by(task));
            clearing.for_each(|task| check_clears(task, mark, &flow, errors));
        }
    }
    for task in &model.tasks {
        check_content(model, task, errors);
    }
    for tool in &model.tools {
        let items = &tool.items;
        if let Some(content) =
            items.content.as_ref().filter(|_| !EffectValue::is_possible(&items.effect))
        {
            report_content_without_effect(content, errors);
        }
    }
}

/// Checks that each marked field is read by something.
fn check_marked_fields_are_read(model: &Model<'_>, errors: &Errors) {
    let Some(read) = fields::read_fields(model) else { return };
    for (index, field) in model.state_fields().iter().enumerate() {
        let is_marked = field.is_untrusted() || field.is_private();
        let word = field.untrusted.as_ref().or(field.private.as_ref());
        if let Some(word) = word.filter(|_| is_marked && field.input.is_none() && !read(index)) {
            errors.add_with_help(
                word.span(),
                format!("nothing reads the field `{}`: its mark has no effect", field.name),
                format!("show it, pass it on, or remove `{word}`"),
            );
        }
    }
}

/// Checks that each `trusts` of a task excepts something.
fn check_exceptions(model: &Model<'_>, sites: &Sites<'_>, flow: &Flow, errors: &Errors) {
    let excepted: Vec<_> = all_findings(model, sites, flow).into_iter().map(|it| it.task).collect();
    for task in &model.tasks {
        let Some(trusts) = &task.syntax.items.trusts else { continue };
        let ways = flow.node(task.index).others.iter();
        let mut decides = ways.flat_map(|way| &way.decides);
        let chooses = decides.any(|fact| flow.holds(task.index, *fact));
        if !chooses && !excepted.contains(&Some(task.index)) {
            errors.add_with_help(
                trusts.key.span(),
                format!("`trusts` of task `{}` excepts nothing", task.name()),
                "no untrusted value reaches an effect in this task: remove it",
            );
        }
    }
}

/// Checks that a task that clears a mark has something to clear, and a way to do so.
fn check_clears(task: &Task<'_>, mark: Mark, flow: &Flow, errors: &Errors) {
    let Some(clears) = &task.syntax.items.clears else { return };
    let (name, span) = (task.name(), clears.key.span());
    let word = if mark == Mark::Untrusted { "untrusted" } else { "private" };
    if task.kind.asks_model() && task.syntax.items.check.is_none() {
        errors.add_with_help(
            span,
            format!("`clears: {word}` of task `{name}` has no `check`"),
            "a check decides what is accepted: write `check: function`, or remove it",
        );
        return;
    }
    let node = flow.node(task.index);
    let computes = || node.computed.iter().any(|fact| flow.holds(task.index, *fact));
    let is_process = task.kind.runs_process() && mark == Mark::Untrusted;
    if !flow.holds(task.index, Fact::Shown) && !computes() && !is_process {
        errors.add_with_help(
            span,
            format!("`clears: {word}` of task `{name}` has no effect"),
            format!("the task is given no {word} value: remove it"),
        );
    }
}

/// Checks that `content` of a task lists what its function is given, and that the function has an effect.
fn check_content(model: &Model<'_>, task: &Task<'_>, errors: &Errors) {
    let Some(content) = &task.syntax.items.content else { return };
    if !EffectValue::is_possible(&task.syntax.items.effect) {
        return report_content_without_effect(content, errors);
    }
    for name in &content.value.0 {
        let is_field = model.state_fields().is_empty() || model.field(name).is_some();
        let inputs = task.syntax.items.inputs.is_some() && name == "inputs";
        let item = task.kind == TaskKind::EachCode && *name == listed_name(model, task, Fact::Item);
        if !is_field && !inputs && !item {
            errors.add_with_help(
                name.span(),
                format!("task `{}` is given no `{name}`", task.name()),
                "`content` lists fields of the state, `inputs`, or the item",
            );
        }
    }
}

fn report_content_without_effect(content: &Item<Names>, errors: &Errors) {
    errors.add_with_help(
        content.key.span(),
        "`content` is about the arguments of an effect",
        "with `effect: none` the function only reads: remove one of the two",
    );
}
