//! The graph of tasks.

use super::{
    groups::{heads, reachable},
    loops::Loops,
};
use crate::model::{Model, Task};
use cot_syntax::TaskKind;

/// The graph of the tasks of a process.
pub(in crate::check) struct TaskGraph {
    /// The targets of the transitions of each task.
    pub(super) calls: Vec<Vec<usize>>,
    /// The tasks to which each task leads without a choice of the model.
    pub(in crate::check) moves: Vec<Vec<usize>>,
    /// Whether each task returns to its caller after success.
    pub(in crate::check) returns: Vec<bool>,
    /// Whether the process ends at each task. Uncertain cases count as ends.
    pub(in crate::check) ends: Vec<bool>,
    /// Whether a target of each task could not be resolved.
    pub(super) incomplete: Vec<bool>,
    pub(super) reached: Vec<bool>,
    pub(in crate::check) start: usize,
    pub(super) loops: Loops,
}

impl TaskGraph {
    pub(in crate::check) fn new(model: &Model<'_>) -> Self {
        let tasks = &model.tasks;
        let moves: Vec<_> = tasks.iter().map(|task| moves(model, task)).collect();
        let loops = Loops::new(model, &moves);
        let calls = |task: &Task<'_>| distinct(task.transitions.iter().map(|edge| edge.target));
        let mut graph = Self {
            calls: tasks.iter().map(calls).collect(),
            moves,
            returns: tasks.iter().map(|task| may_return(model, task)).collect(),
            ends: tasks.iter().map(|task| is_end(task, &loops)).collect(),
            incomplete: tasks.iter().map(|task| task.incomplete).collect(),
            reached: Vec::new(),
            start: model.start,
            loops,
        };
        graph.reached = graph.reach();
        graph
    }

    pub(in crate::check) fn successors(&self, task: usize) -> impl Iterator<Item = usize> {
        self.calls[task].iter().chain(&self.moves[task]).copied()
    }

    /// Returns whether a task waits in the chain of callers while the tasks that it calls run.
    pub(super) fn waits(&self, task: usize) -> bool {
        !self.calls[task].is_empty()
    }

    /// Returns the tasks that are reached.
    pub(super) fn reached_tasks(&self) -> impl Iterator<Item = usize> {
        (0..self.reached.len()).filter(|&task| self.reached[task])
    }

    /// Returns the first task of each unreached group to which no other unreached task leads.
    pub(super) fn heads_of_unreached(&self) -> Vec<usize> {
        let unreached: Vec<_> = self.reached.iter().map(|reached| !reached).collect();
        heads(&unreached, unreached.len(), |task| self.successors(task).collect())
    }

    /// Returns which tasks a run can reach from one task while no task waits in the chain of callers, and before it
    /// comes to `until`.
    ///
    /// Returns and moves to waiting tasks need not be followed: they lead back to an earlier position of
    /// the run, with the same task and the same chain.
    pub(in crate::check) fn reached_without_callers(
        &self,
        from: usize,
        until: Option<usize>,
    ) -> Vec<bool> {
        reachable(self.moves.len(), [from], |task| {
            let is_last = self.incomplete[task] || until == Some(task);
            if is_last { &[][..] } else { &self.moves[task] }.iter().copied()
        })
    }

    fn reach(&self) -> Vec<bool> {
        let count = self.moves.len();
        let reached = reachable(count, [self.start], |task| self.successors(task));
        let anywhere = (0..count).any(|task| reached[task] && self.incomplete[task]);
        if anywhere { vec![true; count] } else { reached }
    }
}

/// Returns whether the process ends at a task. Uncertain cases count as ends.
fn is_end(task: &Task<'_>, loops: &Loops) -> bool {
    // Tasks that ask for nothing, have no kind or loop are reported by other checks.
    let silent = task.output.is_none() && task.transitions.is_empty();
    let silent = silent && matches!(task.kind, TaskKind::Ai | TaskKind::Unknown);
    task.kind.is_terminal() || task.incomplete || silent || loops.contains(task.index)
}

/// Returns the tasks to which a task leads without a choice of the model: after success or by a route of
/// `on`.
fn moves(model: &Model<'_>, task: &Task<'_>) -> Vec<usize> {
    let on = task.on.iter().map(|edge| edge.target);
    let branches = task.branches.iter().map(|edge| edge.target);
    distinct(on.chain(branches).chain(after_success(model, task)))
}

/// Returns the tasks to which a task leads after success.
pub(in crate::check) fn after_success(model: &Model<'_>, task: &Task<'_>) -> Vec<usize> {
    if !task.can_succeed() && task.kind != TaskKind::Gateway {
        Vec::new()
    } else if !task.choices.is_empty() || !task.next.is_empty() {
        // A choice beside `next` is optional.
        let choices = task.choices.iter().map(|edge| edge.target);
        distinct(choices.chain(task.next.iter().map(|edge| edge.target)))
    } else {
        task.in_sequence.or(model.default_return).into_iter().collect()
    }
}

/// Returns whether a task returns to its caller after success.
fn may_return(model: &Model<'_>, task: &Task<'_>) -> bool {
    task.can_succeed() && !task.routes() && model.default_return.is_none()
}

/// Sorts targets by declaration and removes duplicates.
fn distinct(targets: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut targets: Vec<_> = targets.collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}
