//! Finds the tasks from which the process can end.

use super::{
    groups::{heads, reachable},
    task_graph::TaskGraph,
};

/// The reached tasks from which the process can end.
///
/// The next step of a run depends on its task and on the chain of calling tasks. The analysis considers
/// tasks alone and is linear in tasks and edges, for two reasons:
///
/// - A return to a waiting task restores the chain with which it waited. The analysis does not distinguish these
///   chains: a task that leads to the waiting task can end if the waiting task can end with any of them.
/// - A task can end whenever a task that it calls can end. So if a caller can end, its own callers can end too,
///   and they need not be tracked.
pub(super) struct Ends<'g> {
    graph: &'g TaskGraph,
    /// Whether each task can return to its caller, possibly through other tasks that call nothing.
    returning: Vec<bool>,
    /// The tasks that can call each task.
    callers: Vec<Vec<usize>>,
    /// The tasks that lead to each task without a call.
    before: Vec<Vec<usize>>,
    /// Whether each task can end regardless of its caller.
    always: Vec<bool>,
    /// Whether each task can have a caller that can end, or no caller.
    caller_can_end: Vec<bool>,
}

/// A fact about a task.
enum EndFact {
    /// The task can end regardless of its caller.
    Always(usize),
    /// The task can have a caller that can end, or no caller.
    CallerCanEnd(usize),
}

impl<'g> Ends<'g> {
    pub(super) fn new(graph: &'g TaskGraph) -> Self {
        let count = graph.moves.len();
        let (mut callers, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for task in graph.reached_tasks() {
            graph.calls[task].iter().for_each(|&called| callers[called].push(task));
            graph.moves[task].iter().for_each(|&next| before[next].push(task));
        }
        let returning = reachable(count, (0..count).filter(|&task| graph.returns[task]), |task| {
            // A return to a calling task continues there.
            if graph.waits(task) { &[][..] } else { &before[task] }.iter().copied()
        });
        let (always, caller_can_end) = (vec![false; count], vec![false; count]);
        let mut ends = Self { graph, returning, callers, before, always, caller_can_end };
        ends.follow();
        ends
    }

    /// Derives all facts, backwards from the ends.
    fn follow(&mut self) {
        let graph = self.graph;
        let ends = graph.reached_tasks().filter(|&task| graph.ends[task]).map(EndFact::Always);
        let mut open: Vec<_> = ends.chain([EndFact::CallerCanEnd(graph.start)]).collect();
        // An incomplete task may call any task.
        if graph.reached_tasks().any(|task| graph.incomplete[task]) {
            open.extend((0..graph.moves.len()).map(EndFact::CallerCanEnd));
        }
        while let Some(fact) = open.pop() {
            let (EndFact::Always(task) | EndFact::CallerCanEnd(task)) = fact;
            let could_end = self.can_end(task);
            let known = match fact {
                EndFact::Always(_) => &mut self.always[task],
                EndFact::CallerCanEnd(_) => &mut self.caller_can_end[task],
            };
            if std::mem::replace(known, true) {
                continue;
            }
            match fact {
                EndFact::Always(_) => open.extend(self.leading_to(task)),
                EndFact::CallerCanEnd(_) => {
                    open.extend(graph.moves[task].iter().map(|&next| EndFact::CallerCanEnd(next)));
                }
            }
            if !could_end && self.can_end(task) && graph.waits(task) {
                open.extend(self.leading_to(task));
                open.extend(graph.calls[task].iter().map(|&called| EndFact::CallerCanEnd(called)));
            }
        }
    }

    fn leading_to(&self, task: usize) -> impl Iterator<Item = EndFact> {
        self.before[task].iter().chain(&self.callers[task]).map(|&task| EndFact::Always(task))
    }

    /// Returns whether a task can end with at least one of its callers.
    fn can_end(&self, task: usize) -> bool {
        self.always[task] || (self.returning[task] && self.caller_can_end[task])
    }

    /// Returns which reached tasks can't end. If there are none, no run can get stuck: a task that returns
    /// to a caller that can't end has such a caller.
    pub(super) fn stuck_tasks(&self) -> Vec<bool> {
        let graph = self.graph;
        (0..self.always.len()).map(|task| graph.reached[task] && !self.can_end(task)).collect()
    }

    /// Returns the first task of each group of tasks that can't end, unless another such group leads to it.
    pub(super) fn heads_of_stuck(&self) -> Vec<usize> {
        let (graph, stuck) = (self.graph, self.stuck_tasks());
        let count = stuck.len();
        // The place `count + task` is the return of a task.
        heads(&stuck, 2 * count, |place| match place.checked_sub(count) {
            None => {
                let back = graph.returns[place].then_some(count + place);
                graph.successors(place).chain(back).collect()
            }
            Some(task) => {
                let callers = self.callers[task].iter().copied();
                callers.chain(self.before[task].iter().map(|&before| count + before)).collect()
            }
        })
    }
}
