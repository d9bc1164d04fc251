//! The rule about sub-processes: none is given values with a mark that its own process does not have.

use quote::format_ident;
use syn::Expr;

use super::{
    facts::{Fact, all_fields, facts_in},
    finding::{Condition, Finding, Inputs},
    flow::Flow,
    marks::{Mark, is_strict},
    path::path_to,
};
use crate::model::{Model, Task};

const BEFORE: &str =
    "put a person before it (`ask`), or a task with a `check` and `clears: untrusted`";

/// Returns the first value with the mark that a task gives to a sub-process.
fn given(model: &Model<'_>, flow: &Flow, task: &Task<'_>) -> Option<Fact> {
    let process = task.syntax.items.process.as_ref().filter(|_| task.kind.runs_process())?;
    let facts = match &process.value.with {
        Some(_) => flow.node(task.index).computed.clone(),
        // Its state is made from the whole state.
        None => all_fields(model),
    };
    [Fact::Goal].into_iter().chain(facts).find(|fact| flow.holds(task.index, *fact))
}

/// Finds out whether a sub-process is given untrusted values, and whether it runs since a model chose so: marks of its
/// fields say nothing of that.
pub(super) fn process<'a>(model: &Model<'a>, flow: &Flow, task: &Task<'a>) -> Vec<Finding<'a>> {
    let passed = passed(model, flow, task, Mark::Untrusted);
    let is_led = task.kind.runs_process() && flow.holds(task.index, Fact::Choice);
    let name = task.name();
    let led = is_led.then(|| Finding {
        name: "untrusted_reaches_process",
        span: name.span(),
        message: format!(
            "a model that is shown untrusted values decides whether task `{name}` runs its sub-process"
        ),
        place: None,
        path: path_to(model, flow, task.index, Fact::Choice, &format!("task `{name}`")),
        help: BEFORE.to_owned(),
        task: Some(task.index),
        condition: None,
    });
    passed.into_iter().chain(led).collect()
}

/// Finds out whether a task passes a value with a mark to its sub-process. The fields that it is passed to are known if
/// the state is made by `new`.
pub(super) fn passed<'a>(
    model: &Model<'a>,
    flow: &Flow,
    task: &Task<'a>,
    mark: Mark,
) -> Option<Finding<'a>> {
    let fact = given(model, flow, task)?;
    let name = task.name();
    let (value, field, or) = match mark {
        Mark::Untrusted => {
            ("an untrusted", "`untrusted input mail: String`", format!("; or {BEFORE}"))
        }
        Mark::Private => ("a private", "`private input name: String`", String::new()),
    };
    let inputs = inputs(model, flow, task, mark).filter(|_| fact != Fact::Goal);
    let how = match inputs {
        Some(_) if mark == Mark::Untrusted && is_strict(model) => ", and set `trust: strict` there",
        Some(_) => "",
        None if mark == Mark::Private => ", and create its state with `new`",
        None => ", and create its state with `new`, or say so at the task, `trusts: \"…\"`",
    };
    let help = match fact {
        Fact::Goal => {
            "leave the value out of the goal, which the sub-process shows, too".to_owned()
        }
        _ => format!("mark the field there as well, {field}{how}{or}"),
    };
    Some(Finding {
        name: "untrusted_reaches_process",
        span: name.span(),
        message: format!("task `{name}` passes {value} value to its sub-process"),
        place: None,
        path: path_to(model, flow, task.index, fact, &format!("task `{name}`")),
        help,
        task: Some(task.index),
        condition: inputs.map(Condition::Inputs),
    })
}

/// Returns the arguments with a mark, if the state of a sub-process is made by its `new`.
fn inputs<'a>(model: &Model<'_>, flow: &Flow, task: &Task<'a>, mark: Mark) -> Option<Inputs<'a>> {
    let started = &task.syntax.items.process.as_ref()?.value;
    let Some(Expr::Call(call)) = &started.with else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let mut names = function.path.segments.iter().rev().map(|segment| &segment.ident);
    let state = format_ident!("{}State", started.path.segments.last()?.ident);
    let is_new = names.next()? == "new" && *names.next()? == state;
    let holds = |expr: &Expr| {
        facts_in(model, Some(task), expr).iter().any(|fact| flow.holds(task.index, *fact))
    };
    let marked = call.args.iter().enumerate().filter(|(_, expr)| holds(expr));
    let marked = marked.map(|(index, _)| index).collect();
    let is_private = mark == Mark::Private;
    is_new.then_some(Inputs { process: &started.path, marked, is_private })
}
