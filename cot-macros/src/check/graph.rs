//! Where the tasks lead.

use std::collections::{BTreeMap, BTreeSet};

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
    let reached = graph.reached_tasks();
    let missed = (0..model.tasks.len()).filter(|task| !reached.contains(task)).collect();
    let ways = |task: usize| graph.ways(model, task);
    for head in heads(&missed, ways) {
        let task = &model.tasks[head];
        errors.error_with_help(
            task.name().span(),
            format!("task `{}` is never reached", task.name()),
            why_unreached(model, head),
        );
    }
}

fn why_unreached(model: &Model<'_>, unreached: usize) -> String {
    let before = model.tasks.iter().find(|task| task.in_sequence == Some(unreached));
    match before.and_then(|task| Some((task.name(), leaves_the_sequence(task)?))) {
        Some((name, why)) => {
            format!("`{name}`, before it in the sequence, never goes on to it: {why}")
        }
        None => format!(
            "no path leads here from `{}`, where the process starts: name it in a transition, in \
             `next` or in a sequence, or remove it",
            model.tasks[model.start].name()
        ),
    }
}

/// Why a task does not go on to the next of its sequence, if so.
fn leaves_the_sequence(task: &Task<'_>) -> Option<&'static str> {
    if task.kind.is_terminal() {
        Some("it is a terminal")
    } else if !task.choices.is_empty() {
        Some("its `process_output` chooses where to go")
    } else if !task.next.is_empty() {
        Some("it has `next`")
    } else if task.output.is_none() && !task.transitions.is_empty() {
        Some("it leaves by its transitions")
    } else {
        None
    }
}

/// From every task that is reached, the process can come to an end.
pub(super) fn check_every_task_can_end(model: &Model<'_>, errors: &Errors) {
    if model.blurred || model.tasks.is_empty() {
        return;
    }
    let graph = Graph::of(model);
    for head in heads(&graph.stuck_tasks(), |task| graph.ways(model, task)) {
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
    let gateway = |task: usize| model.tasks[task].kind == Kind::Gateway;
    let gateways_after = |task| gateways_after(model, task);
    let mut reported = BTreeSet::new();
    for task in (0..model.tasks.len()).filter(|&task| gateway(task) && !model.tasks[task].blurred) {
        for &next in &gateways_after(task) {
            let circle = closure([next], gateways_after);
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

/// Where a gateway leads at once and with nothing changed: to gateways that neither wait nor are
/// given inputs.
fn gateways_after(model: &Model<'_>, task: usize) -> Vec<usize> {
    let same = |next: usize| {
        let task = &model.tasks[next];
        let items = &task.syntax.items;
        task.kind == Kind::Gateway && items.wait.is_none() && items.inputs.is_none()
    };
    moves(model, task).into_iter().filter(|&next| same(next)).collect()
}

/// A task and the task that called it, if any did.
type Node = (usize, Option<usize>);

/// Where a process can be, and how it goes on from there.
struct Graph {
    /// Where it can go on from each place that it can come to.
    ways: BTreeMap<Node, BTreeSet<Node>>,
    /// The places at which it ends, or may end for all that is known.
    ends: BTreeSet<Node>,
}

impl Graph {
    /// Follows all paths from `start`.
    ///
    /// A task that waits in the chain of callers is found there again with the caller that it had, and
    /// which that was is not followed: any that it can have will do. So a place that is found once
    /// more opens further ways, and the search goes on until nothing is new.
    fn of(model: &Model<'_>) -> Self {
        let mut graph = Self { ways: BTreeMap::new(), ends: BTreeSet::new() };
        if model.start < model.tasks.len() {
            graph.ways.insert((model.start, None), BTreeSet::new());
        }
        loop {
            let known = graph.ways.len();
            let nodes: Vec<_> = graph.ways.keys().copied().collect();
            for node in nodes {
                let next = graph.next(model, node);
                for &next in &next {
                    graph.ways.entry(next).or_default();
                }
                graph.ways.insert(node, next);
            }
            if graph.ways.len() == known {
                break;
            }
        }
        let nodes = graph.ways.keys().copied();
        graph.ends = nodes.filter(|&node| is_end(model, node)).collect();
        graph
    }

    fn next(&self, model: &Model<'_>, (index, caller): Node) -> BTreeSet<Node> {
        let task = &model.tasks[index];
        if task.blurred {
            return (0..model.tasks.len()).map(|next| (next, Some(index))).collect();
        }
        let mut next = BTreeSet::new();
        for edge in &task.transitions {
            next.insert((edge.target, Some(index)));
            next.extend(self.waiting(model, edge.target));
        }
        for target in moves(model, index) {
            if caller != Some(target) {
                next.insert((target, caller));
            }
            next.extend(self.waiting(model, target));
        }
        if let (Some(caller), true) = (caller, may_return(model, task)) {
            next.extend(self.waiting(model, caller));
        }
        next
    }

    /// The places at which a task may have waited in the chain of callers.
    fn waiting(&self, model: &Model<'_>, task: usize) -> Vec<Node> {
        let waits = !model.tasks[task].transitions.is_empty() || model.tasks[task].blurred;
        let places = self.ways.range((task, None)..=(task, Some(usize::MAX)));
        places.filter(|_| waits).map(|(&node, _)| node).collect()
    }

    fn reached_tasks(&self) -> BTreeSet<usize> {
        self.ways.keys().map(|&(task, _)| task).collect()
    }

    /// The tasks that have no way to an end, wherever they were called from; if there are none, those
    /// that have none from somewhere.
    fn stuck_tasks(&self) -> BTreeSet<usize> {
        let ending = self.nodes_that_can_end();
        let stuck: BTreeSet<_> = self
            .ways
            .keys()
            .filter(|&node| !ending.contains(node))
            .map(|&(task, _)| task)
            .collect();
        let can_end: BTreeSet<_> = ending.iter().map(|&(task, _)| task).collect();
        let always: BTreeSet<_> = stuck.difference(&can_end).copied().collect();
        if always.is_empty() { stuck } else { always }
    }

    fn nodes_that_can_end(&self) -> BTreeSet<Node> {
        let mut before: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        for (&node, next) in &self.ways {
            next.iter().for_each(|&next| before.entry(next).or_default().push(node));
        }
        let before = |node| before.get(&node).cloned().unwrap_or_default();
        closure(self.ends.iter().copied(), before)
    }

    /// The tasks to which a task can lead; of one that is never reached, those that it names.
    fn ways(&self, model: &Model<'_>, task: usize) -> Vec<usize> {
        let places = self.ways.range((task, None)..=(task, Some(usize::MAX)));
        let mut next: Vec<_> = places.flat_map(|(_, next)| next).map(|&(next, _)| next).collect();
        if next.is_empty() {
            next.extend(moves(model, task));
            next.extend(model.tasks[task].transitions.iter().map(|edge| edge.target));
        }
        next
    }
}

/// Whether a process ends at a place, or may end there for all that is known.
fn is_end(model: &Model<'_>, (index, caller): Node) -> bool {
    let task = &model.tasks[index];
    // What asks for nothing, has no kind, or is a gateway that loops, is reported as that.
    let silent = task.output.is_none() && task.transitions.is_empty();
    let silent = silent && matches!(task.kind, Kind::Ai | Kind::Unknown);
    let loops = task.kind == Kind::Gateway
        && closure(gateways_after(model, index), |task| gateways_after(model, task))
            .contains(&index);
    let runs_out = caller.is_none() && may_return(model, task);
    task.kind.is_terminal() || task.blurred || silent || loops || runs_out
}

/// Where a task goes by itself: once it has succeeded, or when it fails in a way that it has a route for.
fn moves(model: &Model<'_>, index: usize) -> BTreeSet<usize> {
    let on = model.tasks[index].on.iter().map(|edge| edge.target);
    on.chain(after_success(model, index)).collect()
}

/// Where a task goes by itself once it has succeeded.
pub(super) fn after_success(model: &Model<'_>, index: usize) -> BTreeSet<usize> {
    let task = &model.tasks[index];
    if !succeeds(task) && task.kind != Kind::Gateway {
        BTreeSet::new()
    } else if !task.choices.is_empty() {
        task.choices.iter().map(|edge| edge.target).collect()
    } else if !task.next.is_empty() {
        task.next.iter().map(|edge| edge.target).collect()
    } else {
        task.in_sequence.or(model.default_return).into_iter().collect()
    }
}

/// Whether a task can do its work, and then goes on as `next` or what stands for it says.
fn succeeds(task: &Task<'_>) -> bool {
    match task.kind {
        Kind::Ai => task.output.is_some(),
        Kind::Each | Kind::Code | Kind::Human | Kind::Process => true,
        Kind::Gateway | Kind::End | Kind::Fail | Kind::Unknown => false,
    }
}

/// Whether a task that has succeeded returns to the task that called it.
fn may_return(model: &Model<'_>, task: &Task<'_>) -> bool {
    succeeds(task) && !task.routes() && model.default_return.is_none()
}

/// What can be reached, the beginning included.
fn closure<T: Copy + Ord, N: IntoIterator<Item = T>>(
    from: impl IntoIterator<Item = T>,
    next: impl Fn(T) -> N,
) -> BTreeSet<T> {
    let mut open: Vec<_> = from.into_iter().collect();
    let mut reached: BTreeSet<_> = open.iter().copied().collect();
    while let Some(place) = open.pop() {
        open.extend(next(place).into_iter().filter(|&next| reached.insert(next)));
    }
    reached
}

/// The first of each group of tasks that no task of the set leads to from outside the group, so that a
/// chain is reported once.
fn heads(set: &BTreeSet<usize>, ways: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let within = |task: usize| ways(task).into_iter().filter(|next| set.contains(next)).collect();
    let reach: BTreeMap<usize, BTreeSet<usize>> =
        set.iter().map(|&task| (task, closure::<_, Vec<_>>([task], within))).collect();
    let leads = |from: usize, to: usize| reach.get(&from).is_some_and(|reach| reach.contains(&to));
    let is_head = |&task: &usize| {
        set.iter().all(|&other| !leads(other, task) || (leads(task, other) && task <= other))
    };
    set.iter().copied().filter(is_head).collect()
}
