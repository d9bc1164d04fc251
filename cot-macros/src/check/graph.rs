//! Where the tasks lead.

use std::collections::BTreeSet;

use proc_macro2::Span;

use crate::{
    diagnostics::Errors,
    model::{Kind, Model, Task},
};

/// Every task lies on some path from `start`.
pub(super) fn check_every_task_is_reached(model: &Model<'_>, errors: &Errors) {
    if model.blurred {
        return;
    }
    let graph = Graph::of(model);
    let reached = graph.closure([model.start], |task| graph.all(task));
    let missed: BTreeSet<_> =
        (0..model.tasks.len()).filter(|task| !reached.contains(task)).collect();
    for head in graph.heads(&missed) {
        let task = &model.tasks[head];
        errors.error_with_help(
            task.name().span(),
            format!("task `{}` is never reached", task.name()),
            format!(
                "no path leads here from `{}`, where the process starts: name it in a transition, \
                 in `next` or in a sequence, or remove it",
                model.tasks[model.start].name()
            ),
        );
    }
}

/// From every task that is reached, the process can come to an end.
pub(super) fn check_every_task_can_end(model: &Model<'_>, errors: &Errors) {
    if model.blurred || model.tasks.is_empty() {
        return;
    }
    let graph = Graph::of(model);
    let reached = graph.closure([model.start], |task| graph.all(task));
    let stuck: BTreeSet<_> = reached
        .into_iter()
        .filter(|&task| graph.closure([task], |task| graph.all(task)).is_disjoint(&graph.ends))
        .collect();
    for head in graph.heads(&stuck) {
        let task = &model.tasks[head];
        errors.error_with_help(
            task.name().span(),
            format!("no end can be reached from task `{}`", task.name()),
            "lead to a terminal: `task done { end }`",
        );
    }
}

/// Gateways do not lead round in a circle: nothing could change on the way.
pub(super) fn check_gateways_do_not_loop(model: &Model<'_>, errors: &Errors) {
    let graph = Graph::of(model);
    let gateway = |task: usize| model.tasks[task].kind == Kind::Gateway;
    let gateways_after = |task: usize| -> Vec<usize> {
        graph.moves[task].iter().copied().filter(|&next| gateway(next)).collect()
    };
    let mut reported = BTreeSet::new();
    for task in (0..model.tasks.len()).filter(|&task| gateway(task) && !model.tasks[task].blurred) {
        for &next in &gateways_after(task) {
            let circle = graph.closure([next], gateways_after);
            // The edge that leads back is the one to a task declared no later.
            if next > task || !circle.contains(&task) || !circle.is_disjoint(&reported) {
                continue;
            }
            errors.error_with_help(
                span_of_move(&model.tasks[task], next),
                format!(
                    "gateways loop: `{}` leads back to `{}`",
                    model.tasks[task].name(),
                    model.tasks[next].name()
                ),
                "a gateway only routes, so the same ways would be taken for ever: \
                 put a task that changes something in between",
            );
            reported.extend(circle);
        }
    }
}

fn span_of_move(task: &Task<'_>, to: usize) -> Span {
    let arm = task.next.iter().find(|edge| edge.target == to);
    arm.map_or(task.name().span(), |edge| edge.syntax.target.span())
}

/// The ways between tasks.
struct Graph {
    /// Where the model may choose to go.
    transitions: Vec<BTreeSet<usize>>,
    /// Where a task goes by itself.
    moves: Vec<BTreeSet<usize>>,
    /// Where a task that has no way of its own returns to: the tasks that may have called it.
    returns: Vec<BTreeSet<usize>>,
    /// The tasks at which a process may end.
    ends: BTreeSet<usize>,
}

impl Graph {
    fn of(model: &Model<'_>) -> Self {
        let count = model.tasks.len();
        let everywhere = || (0..count).collect::<BTreeSet<_>>();
        let transitions = model.tasks.iter().map(|task| match task.blurred {
            true => everywhere(),
            false => task.transitions.iter().map(|edge| edge.target).collect(),
        });
        let moves = model.tasks.iter().map(|task| moves(model, task));
        let mut graph = Self {
            transitions: transitions.collect(),
            moves: moves.collect(),
            returns: vec![BTreeSet::new(); count],
            ends: BTreeSet::new(),
        };
        graph.add_returns(model);
        graph.add_ends(model);
        graph
    }

    fn add_returns(&mut self, model: &Model<'_>) {
        for caller in 0..model.tasks.len() {
            let called = self.transitions[caller].iter().copied();
            for task in self.closure(called, |task| self.moves[task].clone()) {
                if may_return(model, &model.tasks[task]) {
                    self.returns[task].insert(caller);
                }
            }
        }
    }

    fn add_ends(&mut self, model: &Model<'_>) {
        let uncalled = self.closure([model.start], |task| self.moves[task].clone());
        self.ends = (0..model.tasks.len())
            .filter(|&index| {
                let task = &model.tasks[index];
                let runs_out = may_return(model, task) && uncalled.contains(&index);
                // What asks for nothing, and what has no kind, is reported as that.
                let silent = task.syntax.output.is_none() && task.transitions.is_empty();
                let silent = silent && matches!(task.kind, Kind::Ai | Kind::Unknown);
                task.kind.is_terminal() || silent || task.blurred || runs_out
            })
            .collect();
    }

    /// All ways from a task.
    fn all(&self, task: usize) -> Vec<usize> {
        let ways = [&self.transitions[task], &self.moves[task], &self.returns[task]];
        ways.into_iter().flatten().copied().collect()
    }

    /// What can be reached from some tasks, themselves included.
    fn closure<N: IntoIterator<Item = usize>>(
        &self,
        from: impl IntoIterator<Item = usize>,
        next: impl Fn(usize) -> N,
    ) -> BTreeSet<usize> {
        let mut open: Vec<_> = from.into_iter().filter(|&task| task < self.moves.len()).collect();
        let mut reached: BTreeSet<_> = open.iter().copied().collect();
        while let Some(task) = open.pop() {
            open.extend(next(task).into_iter().filter(|&next| reached.insert(next)));
        }
        reached
    }

    /// The first of each group of tasks that no task of the set leads to from outside the group, so
    /// that a chain is reported once.
    fn heads(&self, set: &BTreeSet<usize>) -> Vec<usize> {
        let reach = |task: usize| {
            self.closure([task], |task| {
                self.all(task).into_iter().filter(|next| set.contains(next)).collect::<Vec<_>>()
            })
        };
        let leads = |from: usize, to: usize| reach(from).contains(&to);
        let is_head = |&task: &usize| {
            set.iter().all(|&other| !leads(other, task) || (leads(task, other) && task <= other))
        };
        set.iter().copied().filter(is_head).collect()
    }
}

/// Where a task goes by itself, once it has succeeded.
fn moves(model: &Model<'_>, task: &Task<'_>) -> BTreeSet<usize> {
    if task.blurred {
        return (0..model.tasks.len()).collect();
    }
    let succeeds = task.syntax.output.is_some() || task.kind == Kind::Gateway;
    if !succeeds || task.kind.is_terminal() {
        return BTreeSet::new();
    }
    if !task.choices.is_empty() {
        return task.choices.iter().map(|edge| edge.target).collect();
    }
    if !task.next.is_empty() {
        return task.next.iter().map(|edge| edge.target).collect();
    }
    task.in_sequence.or(model.default_return).into_iter().collect()
}

/// Whether a task that has succeeded returns to the task that called it.
fn may_return(model: &Model<'_>, task: &Task<'_>) -> bool {
    let succeeds = task.kind == Kind::Ai && task.syntax.output.is_some();
    succeeds && !task.routes() && model.default_return.is_none()
}
