//! The rule about sub-processes: none is given values with a mark. What its own process marks can't be seen from here.

use super::{
    facts::{Fact, all_fields},
    finding::Finding,
    flow::Flow,
    path::path_to,
};
use crate::model::{Model, Task};

const MARK: &str = "mark the field there as well, `untrusted input mail: String`, and say so at the task, `trusts: \"…\"`; or ";

/// Returns the first value with the mark that a task gives to a sub-process.
pub(super) fn given(model: &Model<'_>, flow: &Flow, task: &Task<'_>) -> Option<Fact> {
    let process = task.syntax.items.process.as_ref().filter(|_| task.kind.runs_process())?;
    let facts = match &process.value.with {
        Some(_) => flow.node(task.index).computed.clone(),
        // Its state is made from the whole state.
        None => all_fields(model),
    };
    facts.into_iter().find(|fact| flow.holds(task.index, *fact))
}

/// Finds out whether a sub-process is given untrusted values, or runs since a model chose so.
pub(super) fn process<'a>(model: &Model<'a>, flow: &Flow, task: &Task<'a>) -> Option<Finding<'a>> {
    let choice = || {
        let is_led = task.kind.runs_process() && flow.holds(task.index, Fact::Choice);
        is_led.then_some(Fact::Choice)
    };
    let fact = given(model, flow, task).or_else(choice)?;
    let name = task.name();
    let (message, mark) = match fact {
        Fact::Choice => (
            format!(
                "a model that is shown untrusted values decides whether task `{name}` runs its sub-process"
            ),
            "",
        ),
        _ => (format!("task `{name}` passes an untrusted value to its sub-process"), MARK),
    };
    Some(Finding {
        name: "untrusted_reaches_process",
        span: name.span(),
        message,
        place: None,
        path: path_to(model, flow, task.index, fact, &format!("task `{name}`")),
        help: format!(
            "{mark}put a person before it (`ask`), or a task with a `check` and `clears: untrusted`"
        ),
        task: Some(task.index),
        arguments: None,
    })
}
