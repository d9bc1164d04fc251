//! The rule that no untrusted value reaches an effect: a tool or a function that changes something.

use cot_syntax::{EffectValue, HistoryValue, Names};

use super::{
    facts::Fact,
    finding::Finding,
    flow::Flow,
    marks::{Mark, is_followed},
    path::{describe, path_to},
    processes::process,
    templates,
    tools::tools,
};
use crate::{
    check::{fields, proof::sites::Sites},
    model::{Model, Task},
};

/// Returns what untrusted values reach, unless a task says why that is right.
pub(crate) fn findings<'a>(model: &Model<'a>) -> Vec<Finding<'a>> {
    // An invalid item might be any.
    if !is_followed(model) || model.incomplete || fields::may_be_incomplete(model) {
        return Vec::new();
    }
    let sites = Sites::from_model(model);
    let flow = Flow::new(model, &sites, Mark::Untrusted);
    let all = all_findings(model, &sites, &flow).into_iter();
    let is_excepted = |task: usize| model.tasks[task].trusts();
    all.filter(|finding| !finding.task.is_some_and(is_excepted)).collect()
}

/// Returns what untrusted values reach, with what `trusts` excepts.
pub(super) fn all_findings<'a>(
    model: &Model<'a>,
    sites: &Sites<'a>,
    flow: &Flow,
) -> Vec<Finding<'a>> {
    let mut found = templates::derived(model, sites, flow);
    for task in &model.tasks {
        found.extend(tools(model, flow, task));
        found.extend(function(model, flow, task));
        found.extend(process(model, flow, task));
    }
    found.extend(history(model, flow));
    found
}

/// Finds out whether a function with an effect depends on untrusted values.
fn function<'a>(model: &Model<'a>, flow: &Flow, task: &Task<'a>) -> Option<Finding<'a>> {
    let items = &task.syntax.items;
    let has_effect = task.kind.runs_function() && EffectValue::is_possible(&items.effect);
    // What a function says of its output says nothing of an effect that it declares.
    let is_cleared = Mark::Untrusted.is_cleared_by(task) && items.effect.is_none();
    let has_effect = has_effect && !is_cleared;
    let fact = has_effect.then(|| authority(model, flow, task)).flatten()?;
    let name = task.name();
    let (message, listed) = match fact {
        Fact::Choice => (
            format!(
                "a model that is shown untrusted values decides whether task `{name}` runs its function"
            ),
            String::new(),
        ),
        fact => (
            format!(
                "the function of task `{name}` has an effect, and is given {}, made of untrusted values",
                describe(model, fact)
            ),
            format!(
                "; write `content: [{}]` if it carries no authority",
                listed_name(model, task, fact)
            ),
        ),
    };
    Some(Finding {
        name: "untrusted_reaches_function",
        span: name.span(),
        message,
        place: None,
        path: path_to(model, flow, task.index, fact, &format!("task `{name}`")),
        help: format!(
            "put a person before it (`ask`), or a task with a `check` and `clears: untrusted`{listed}; write \
             `effect: none` if it only reads"
        ),
        task: Some(task.index),
        condition: None,
    })
}

/// Returns the first untrusted value that carries authority in the function of a task.
fn authority(model: &Model<'_>, flow: &Flow, task: &Task<'_>) -> Option<Fact> {
    let written = (0..model.state_fields().len()).map(Fact::Written);
    let mut facts = written.chain([Fact::Inputs, Fact::Item, Fact::Choice]);
    facts.find(|fact| {
        let is_listed = Names::lists(&task.syntax.items.content, &listed_name(model, task, *fact));
        flow.holds(task.index, *fact) && !is_listed
    })
}

/// Returns the name of a value in `content`.
pub(super) fn listed_name(model: &Model<'_>, task: &Task<'_>, fact: Fact) -> String {
    match fact {
        Fact::Inputs => "inputs".to_owned(),
        Fact::Item => {
            let item = task.syntax.items.for_each.as_ref();
            item.map(|item| item.value.item.to_string()).unwrap_or_default()
        }
        fact => fact
            .field()
            .map(|field| model.state_fields()[field].name.to_string())
            .unwrap_or_default(),
    }
}

/// Finds the first task whose prompt shows entries of the history that come from untrusted values.
fn history<'a>(model: &Model<'_>, flow: &Flow) -> Option<Finding<'a>> {
    if let Some(HistoryValue::Limits(items)) =
        model.syntax.items.history.as_ref().map(|it| &it.value)
        && items.untrusted.is_some()
    {
        return None;
    }
    let is_shown = |task: &&Task<'_>| {
        let shows = flow.node(task.index).shown.contains(&Fact::History);
        shows && flow.holds(task.index, Fact::History)
    };
    let task = model.tasks.iter().find(is_shown)?;
    let name = task.name();
    Some(Finding {
        name: "untrusted_history",
        span: model.syntax.items.history.as_ref().map_or(name.span(), |item| item.key.span()),
        message: format!("the history shows untrusted values to task `{name}`"),
        place: None,
        path: path_to(model, flow, task.index, Fact::History, &format!("task `{name}`")),
        help: "write `history: { untrusted: omit }` to leave such entries out, `history: { untrusted: quoted }` to \
               show them in a fence, or `no_history` at the task that writes them"
            .to_owned(),
        task: None,
        condition: None,
    })
}
