//! The paths on which a field stays unset.

use std::collections::VecDeque;

use proc_macro2::Ident;

use super::writes::writes;
use crate::{
    check::graph::ways::after_success,
    model::{Model, Task},
};

/// How a process comes to each task with a field unset, by the shortest path.
///
/// Tasks alone are enough; the chain of callers need not be followed. A return to the calling task,
/// or to any other that waits in the chain, leads back to a place where the path has been before:
/// at the same task, with the same chain, and the field unset there too. So it opens nothing new.
/// Without returns, a path that comes to no task twice meets no task of its chain again, and so each
/// of its moves is possible whatever the chain is; and a shortest path comes to no task twice.
pub(super) struct Paths<'a> {
    steps: Vec<Option<Step<'a>>>,
}

/// How a path comes to a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'a> {
    /// The task before it; none at the start.
    pub(super) from: Option<usize>,
    pub(super) way: Way<'a>,
    /// How many tasks lie before it.
    length: usize,
}

/// What leads from task to task.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way<'a> {
    /// The start, and what follows success.
    Success,
    /// The model chose to go there.
    Transition,
    /// A route for what went wrong.
    On(&'a Ident),
}

impl<'a> Paths<'a> {
    /// Follows the process from `start` as long as nothing has written the field.
    pub(super) fn without(model: &Model<'a>, field: usize) -> Self {
        let mut steps = vec![None; model.tasks.len()];
        steps[model.start] = Some(Step { from: None, way: Way::Success, length: 0 });
        let mut open = VecDeque::from([(model.start, 0)]);
        while let Some((from, length)) = open.pop_front() {
            for (to, way) in ways(model, &model.tasks[from], field) {
                if steps[to].is_none() {
                    steps[to] = Some(Step { from: Some(from), way, length: length + 1 });
                    open.push_back((to, length + 1));
                }
            }
        }
        Self { steps }
    }

    pub(super) fn comes_to(&self, task: usize) -> bool {
        self.steps[task].is_some()
    }

    /// How many tasks lie before one; the start of the process lies before them all.
    pub(super) fn length(&self, task: Option<usize>) -> usize {
        task.and_then(|task| self.steps[task]).map_or(0, |step| step.length + 1)
    }

    /// The path to a task, from the start.
    pub(super) fn to(&self, task: usize) -> Vec<(usize, Step<'a>)> {
        let mut path = Vec::new();
        let mut next = Some(task);
        while let Some((task, step)) = next.and_then(|task| Some((task, self.steps[task]?))) {
            path.push((task, step));
            next = step.from;
        }
        path.reverse();
        path
    }
}

/// Where a process goes on from a task with the field still unset.
fn ways<'a>(model: &Model<'a>, task: &Task<'a>, field: usize) -> Vec<(usize, Way<'a>)> {
    let mut ways = Vec::new();
    // Without an output the update is a mistake that is reported as such; it was meant to write.
    let confused = task.syntax.items.update.is_some() && !task.has_output();
    if task.kind.is_terminal() || (confused && writes(model, task, field)) {
        return ways;
    }
    // Where a blurred task goes by default is not known, only what it names.
    let named = !task.next.is_empty() || !task.choices.is_empty();
    if !writes(model, task, field) && (!task.blurred || named) {
        let moves = after_success(model, task);
        ways.extend(moves.into_iter().map(|to| (to, Way::Success)));
    }
    ways.extend(task.transitions.iter().map(|edge| (edge.target, Way::Transition)));
    ways.extend(task.on.iter().map(|edge| (edge.target, Way::On(&edge.syntax.when))));
    ways
}
