//! The ways from task to task.

use super::{
    groups::{closure, heads},
    loops::Loops,
};
use crate::model::{Model, Task};
use cot_syntax::TaskKind;

/// Where the tasks of a process lead.
pub(in crate::check) struct Graph {
    /// Where a model may choose to go, from each task.
    pub(super) calls: Vec<Vec<usize>>,
    /// Where each task goes by itself.
    pub(super) moves: Vec<Vec<usize>>,
    /// Whether each task returns, once it has succeeded, to the task that called it.
    pub(super) returns: Vec<bool>,
    /// Whether the process ends with each task, or may end with it for all that is known.
    pub(super) ends: Vec<bool>,
    /// Whether each task leads somewhere that is not known.
    pub(super) blurred: Vec<bool>,
    pub(super) reached: Vec<bool>,
    pub(super) start: usize,
    pub(super) loops: Loops,
}

impl Graph {
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
            blurred: tasks.iter().map(|task| task.blurred).collect(),
            reached: Vec::new(),
            start: model.start,
            loops,
        };
        graph.reached = graph.reach();
        graph
    }

    pub(super) fn ways(&self, task: usize) -> impl Iterator<Item = usize> {
        self.calls[task].iter().chain(&self.moves[task]).copied()
    }

    /// Whether a task waits in the chain of callers while others work.
    pub(super) fn waits(&self, task: usize) -> bool {
        !self.calls[task].is_empty()
    }

    /// The tasks, as far as they are reached.
    pub(super) fn reached_tasks(&self) -> impl Iterator<Item = usize> {
        (0..self.reached.len()).filter(|&task| self.reached[task])
    }

    /// The first task of each group that is not reached, where nothing leads to the group.
    pub(super) fn heads_of_unreached(&self) -> Vec<usize> {
        let unreached: Vec<_> = self.reached.iter().map(|reached| !reached).collect();
        heads(&unreached, unreached.len(), |task| self.ways(task).collect())
    }

    /// The tasks to which a run can come while no task waits in the chain of callers, as far as is known.
    ///
    /// A return, or a move to a task that waits, leads back to where the run has been before: at the
    /// same task, with the same chain.
    pub(super) fn reached_without_callers(&self) -> Vec<bool> {
        closure(self.moves.len(), [self.start], |task| {
            if self.blurred[task] { &[][..] } else { &self.moves[task] }.iter().copied()
        })
    }

    fn reach(&self) -> Vec<bool> {
        let count = self.moves.len();
        let reached = closure(count, [self.start], |task| self.ways(task));
        let anywhere = (0..count).any(|task| reached[task] && self.blurred[task]);
        if anywhere { vec![true; count] } else { reached }
    }
}

/// Whether the process ends with a task, or may end with it for all that is known.
fn is_end(task: &Task<'_>, loops: &Loops) -> bool {
    // What asks for nothing, has no kind, or is a gateway that loops, is reported as that.
    let silent = task.output.is_none() && task.transitions.is_empty();
    let silent = silent && matches!(task.kind, TaskKind::Ai | TaskKind::Unknown);
    task.kind.is_terminal() || task.blurred || silent || loops.contain(task.index)
}

/// Where a task goes by itself: once it has succeeded, or when it fails in a way that it has a route for.
fn moves(model: &Model<'_>, task: &Task<'_>) -> Vec<usize> {
    let on = task.on.iter().map(|edge| edge.target);
    distinct(on.chain(after_success(model, task)))
}

/// Where a task goes by itself once it has succeeded.
pub(in crate::check) fn after_success(model: &Model<'_>, task: &Task<'_>) -> Vec<usize> {
    if !task.can_succeed() && task.kind != TaskKind::Gateway {
        Vec::new()
    } else if !task.choices.is_empty() {
        distinct(task.choices.iter().map(|edge| edge.target))
    } else if !task.next.is_empty() {
        distinct(task.next.iter().map(|edge| edge.target))
    } else {
        task.in_sequence.or(model.default_return).into_iter().collect()
    }
}

/// Whether a task that has succeeded returns to the task that called it.
fn may_return(model: &Model<'_>, task: &Task<'_>) -> bool {
    task.can_succeed() && !task.routes() && model.default_return.is_none()
}

/// The targets in their order of declaration, each once.
fn distinct(targets: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut targets: Vec<_> = targets.collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}
