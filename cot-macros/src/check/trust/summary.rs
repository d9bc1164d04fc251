//! What was found of each task, for the tables of the process.

use cot_syntax::StateField;
use syn::ext::IdentExt as _;

use super::{
    facts::Fact,
    flow::{Flow, Origin},
    marks::{Mark, is_followed},
};
use crate::{
    check::proof::sites::Sites,
    model::{Model, Task},
};

/// What was found of a task.
pub(crate) struct TaskMarks {
    pub(crate) task: usize,
    pub(crate) name: String,
    /// The untrusted fields that its model is shown, also by way of other values, and the private ones.
    pub(crate) shown: [Vec<String>; 2],
    pub(crate) shows_untrusted: bool,
    pub(crate) is_untrusted: bool,
    pub(crate) trusts: Option<String>,
}

/// Returns whether the process marks any value.
pub(crate) fn is_marked(model: &Model<'_>) -> bool {
    is_followed(model) || model.state_fields().iter().any(StateField::is_private)
}

/// Returns the names of the untrusted fields, and of the private ones.
pub(crate) fn marked_fields(model: &Model<'_>) -> [Vec<String>; 2] {
    [Mark::Untrusted, Mark::Private].map(|mark| {
        let fields = model.state_fields().iter().filter(|field| mark.is_on(field));
        fields.map(|field| field.name.unraw().to_string()).collect()
    })
}

/// Returns the tasks that have to do with marked values.
pub(crate) fn task_marks(model: &Model<'_>) -> Vec<TaskMarks> {
    let sites = Sites::from_model(model);
    let untrusted = is_followed(model).then(|| Flow::new(model, &sites, Mark::Untrusted));
    let flows = [untrusted, Some(Flow::new(model, &sites, Mark::Private))];
    let tasks = model.tasks.iter().map(|task| marks_of(model, task, &flows));
    let is_marked = |it: &TaskMarks| {
        let is_shown = it.shows_untrusted || it.shown.iter().any(|shown| !shown.is_empty());
        it.is_untrusted || is_shown || it.trusts.is_some()
    };
    tasks.filter(is_marked).collect()
}

fn marks_of(model: &Model<'_>, task: &Task<'_>, flows: &[Option<Flow>; 2]) -> TaskMarks {
    let shown = flows.each_ref().map(|flow| shown_fields(model, task, flow.as_ref()));
    let untrusted = flows[0].as_ref();
    let is_shown = untrusted.is_some_and(|flow| flow.holds(task.index, Fact::Shown));
    let is_untrusted = untrusted.is_some_and(|flow| {
        let records = !task.transitions.is_empty() || flow.node(task.index).records_calls;
        flow.holds(task.index, Fact::Output) || is_shown && records
    });
    let trusts = task.syntax.items.trusts.as_ref().map(|item| item.value.value());
    let name = task.name().unraw().to_string();
    let shows_untrusted = is_shown && task.kind.asks_model();
    TaskMarks { task: task.index, name, shown, shows_untrusted, is_untrusted, trusts }
}

/// Returns the marked fields that the model of a task is shown.
fn shown_fields(model: &Model<'_>, task: &Task<'_>, flow: Option<&Flow>) -> Vec<String> {
    let Some(flow) = flow.filter(|_| task.kind.asks_model()) else { return Vec::new() };
    let mut shown: Vec<String> = Vec::new();
    let facts = flow.node(task.index).shown.iter();
    for field in facts.filter_map(|fact| origin(flow, task.index, *fact)) {
        let name = model.state_fields()[field].name.unraw().to_string();
        if !shown.contains(&name) {
            shown.push(name);
        }
    }
    shown
}

/// Returns the declared field that a fact comes from, if it holds.
fn origin(flow: &Flow, mut task: usize, mut fact: Fact) -> Option<usize> {
    loop {
        match flow.origin(task, fact)? {
            Origin::Declaration => return fact.field(),
            Origin::Tool(_) | Origin::SubProcess => return None,
            Origin::Fact(before, other) => (task, fact) = (before, other),
        }
    }
}
