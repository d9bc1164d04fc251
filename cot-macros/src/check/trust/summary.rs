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
    /// The marked fields that its model is shown, also by way of other values.
    pub(crate) shown: Vec<String>,
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
    let mut flows = vec![Flow::new(model, &sites, Mark::Private)];
    if is_followed(model) {
        flows.insert(0, Flow::new(model, &sites, Mark::Untrusted));
    }
    let tasks = model.tasks.iter().map(|task| marks_of(model, task, &flows));
    tasks
        .filter(|it| {
            it.is_untrusted || it.shows_untrusted || !it.shown.is_empty() || it.trusts.is_some()
        })
        .collect()
}

fn marks_of(model: &Model<'_>, task: &Task<'_>, flows: &[Flow]) -> TaskMarks {
    let mut shown: Vec<String> = Vec::new();
    for flow in flows {
        let facts = flow.node(task.index).shown.iter();
        let fields = facts.filter_map(|fact| origin(flow, task.index, *fact));
        for field in fields.filter(|_| task.kind.asks_model()) {
            let name = model.state_fields()[field].name.unraw().to_string();
            if !shown.contains(&name) {
                shown.push(name);
            }
        }
    }
    let untrusted = flows.first().filter(|_| is_followed(model));
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
