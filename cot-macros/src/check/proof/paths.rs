//! The paths on which a field stays unset.

use std::collections::{BTreeSet, VecDeque};

use cot_syntax::{JoinValue, TaskKind};
use proc_macro2::Ident;

use super::writes::writes;
use crate::{
    check::graph::task_graph::after_success,
    model::{Model, Task},
};

/// The shortest path to each task on which a field is unset.
///
/// The search considers tasks alone, without the chain of callers. A return to a waiting task leads back to
/// an earlier position of the path, with the same task, the same chain and the field unset, so it adds
/// nothing new. Without returns, each move is possible regardless of the chain as long as the path visits
/// no task twice, and a shortest path visits no task twice.
pub(super) struct Paths<'a> {
    steps: Vec<Option<Step<'a>>>,
}

/// The last step of the path to a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'a> {
    /// The previous task; `None` at the start.
    pub(super) from: Option<usize>,
    pub(super) way: StepKind<'a>,
    /// The number of tasks before it.
    length: usize,
}

/// The kind of a step.
#[derive(Debug, Clone, Copy)]
pub(super) enum StepKind<'a> {
    /// The start, or a move after success.
    Success,
    /// A transition that the model chose.
    Transition,
    /// A route of `on`, with its failure.
    On(&'a Ident),
}

impl<'a> Paths<'a> {
    /// Follows the process from `start` while the field is unset.
    pub(super) fn while_unset(model: &Model<'a>, field: usize) -> Self {
        let mut steps = vec![None; model.tasks.len()];
        steps[model.start] = Some(Step { from: None, way: StepKind::Success, length: 0 });
        // Each task with the join at which its branch ends, if it is in one.
        let mut open = VecDeque::from([(model.start, None)]);
        while let Some((from, join)) = open.pop_front() {
            let task = &model.tasks[from];
            let length = steps[from].map_or(0, |step| step.length + 1);
            let own_join = task.next.first().map(|edge| edge.target);
            let branches = task.branches.iter();
            let branches = branches.map(|edge| ((edge.target, StepKind::Success), own_join));
            let ways = ways(model, task, field).into_iter().filter(|(to, _)| Some(*to) != join);
            let ways: Vec<_> = ways.map(|way| (way, join)).chain(branches).collect();
            for ((to, way), join) in ways {
                if steps[to].is_none() {
                    steps[to] = Some(Step { from: Some(from), way, length });
                    open.push_back((to, join));
                }
            }
        }
        Self { steps }
    }

    pub(super) fn reaches(&self, task: usize) -> bool {
        self.steps[task].is_some()
    }

    /// Returns the number of tasks on the path to a task, or 0 for the start of the process.
    pub(super) fn length(&self, task: Option<usize>) -> usize {
        task.and_then(|task| self.steps[task]).map_or(0, |step| step.length + 1)
    }

    /// Returns the path from the start to a task.
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

/// Returns the steps from a task after which the field is still unset.
fn ways<'a>(model: &Model<'a>, task: &Task<'a>, field: usize) -> Vec<(usize, StepKind<'a>)> {
    let mut ways = Vec::new();
    // An update without an output is reported by another check. It counts as a write here.
    let confused = task.syntax.items.update.is_some() && !task.has_output();
    if task.kind.is_terminal() || (confused && writes(model, task, field)) {
        return ways;
    }
    // Of an incomplete task only the targets that it names are known.
    let named = !task.next.is_empty() || !task.choices.is_empty();
    if task.kind == TaskKind::Parallel {
        if !is_proven_by_branches(model, task, field) {
            ways.extend(task.next.iter().map(|edge| (edge.target, StepKind::Success)));
        }
    } else if !writes(model, task, field) && (!task.incomplete || named) {
        let moves = after_success(model, task);
        ways.extend(moves.into_iter().map(|to| (to, StepKind::Success)));
    }
    ways.extend(task.transitions.iter().map(|edge| (edge.target, StepKind::Transition)));
    ways.extend(task.on.iter().map(|edge| (edge.target, StepKind::On(&edge.syntax.when))));
    ways
}

/// Returns whether a field is set wherever the branches of a task join: with `join: all`, if a branch sets it on all
/// its paths. With another join, a branch may not have reached the join.
fn is_proven_by_branches(model: &Model<'_>, task: &Task<'_>, field: usize) -> bool {
    let join = task.syntax.items.join.as_ref().map_or(JoinValue::All, |item| item.value);
    let Some(target) = task.next.first().map(|edge| edge.target) else { return false };
    join == JoinValue::All
        && task.branches.iter().any(|edge| !joins_unset(model, edge.target, target, field))
}

/// Returns whether a branch can reach its join while a field is unset.
fn joins_unset(model: &Model<'_>, first: usize, join: usize, field: usize) -> bool {
    let mut seen = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(task) = open.pop() {
        for (to, _) in ways(model, &model.tasks[task], field) {
            if to == join {
                return true;
            }
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    false
}
