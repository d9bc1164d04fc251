//! Which tasks can come to an end.

use super::{
    groups::{closure, heads},
    ways::Graph,
};

/// From where each reached task has a way to an end.
///
/// Where a run goes on depends on its task and on the tasks that wait in the chain of callers. It need be
/// asked of tasks alone, in time linear in tasks and ways, for two reasons:
///
/// - A task that waits is found again as it was left, and which of the chains that it can have that was is
///   not followed: so whatever leads to it can end if it can end from one of them.
/// - A task leads to those that it calls, so that it can end wherever they can. So the callers that can end
///   can be followed without regard to what had called them: those can end too.
pub(super) struct Ends<'g> {
    graph: &'g Graph,
    /// The tasks that can return to their caller, perhaps by way of others that call nothing.
    returning: Vec<bool>,
    /// The tasks that can have called each.
    callers: Vec<Vec<usize>>,
    /// The tasks that go on to each by themselves.
    before: Vec<Vec<usize>>,
    /// The tasks that have a way to an end whatever called them.
    always: Vec<bool>,
    /// The tasks that one which can end may have called, or none.
    called_well: Vec<bool>,
}

/// What was found of a task.
enum Found {
    Always(usize),
    CalledWell(usize),
}

impl<'g> Ends<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        let count = graph.moves.len();
        let (mut callers, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for task in graph.reached_tasks() {
            graph.calls[task].iter().for_each(|&called| callers[called].push(task));
            graph.moves[task].iter().for_each(|&next| before[next].push(task));
        }
        let returning = closure(count, (0..count).filter(|&task| graph.returns[task]), |task| {
            // What returns to a task that calls comes back to that one first.
            if graph.waits(task) { &[][..] } else { &before[task] }.iter().copied()
        });
        let (always, called_well) = (vec![false; count], vec![false; count]);
        let mut ends = Self { graph, returning, callers, before, always, called_well };
        ends.follow();
        ends
    }

    /// Finds all that has a way to an end, backwards from the ends.
    fn follow(&mut self) {
        let graph = self.graph;
        let ends = graph.reached_tasks().filter(|&task| graph.ends[task]).map(Found::Always);
        let mut open: Vec<_> = ends.chain([Found::CalledWell(graph.start)]).collect();
        // What leads anywhere may have called any.
        if graph.reached_tasks().any(|task| graph.blurred[task]) {
            open.extend((0..graph.moves.len()).map(Found::CalledWell));
        }
        while let Some(found) = open.pop() {
            let (Found::Always(task) | Found::CalledWell(task)) = found;
            let could_end = self.can_end(task);
            let known = match found {
                Found::Always(_) => &mut self.always[task],
                Found::CalledWell(_) => &mut self.called_well[task],
            };
            if std::mem::replace(known, true) {
                continue;
            }
            match found {
                Found::Always(_) => open.extend(self.leading_to(task)),
                Found::CalledWell(_) => {
                    open.extend(graph.moves[task].iter().map(|&next| Found::CalledWell(next)));
                }
            }
            if !could_end && self.can_end(task) && graph.waits(task) {
                open.extend(self.leading_to(task));
                open.extend(graph.calls[task].iter().map(|&called| Found::CalledWell(called)));
            }
        }
    }

    fn leading_to(&self, task: usize) -> impl Iterator<Item = Found> {
        self.before[task].iter().chain(&self.callers[task]).map(|&task| Found::Always(task))
    }

    /// Whether a task has a way to an end, from some caller at least.
    fn can_end(&self, task: usize) -> bool {
        self.always[task] || (self.returning[task] && self.called_well[task])
    }

    /// The reached tasks that have no way to an end. If there are none, no run can get stuck: those that
    /// return to a task that can't end are called by one.
    pub(super) fn stuck_tasks(&self) -> Vec<bool> {
        let graph = self.graph;
        (0..self.always.len()).map(|task| graph.reached[task] && !self.can_end(task)).collect()
    }

    /// The first task of each group that has no way to an end, where no other such leads to the group.
    pub(super) fn heads_of_stuck(&self) -> Vec<usize> {
        let (graph, stuck) = (self.graph, self.stuck_tasks());
        let count = stuck.len();
        // Behind each task stands the place where it returns.
        heads(&stuck, 2 * count, |place| match place.checked_sub(count) {
            None => {
                let back = graph.returns[place].then_some(count + place);
                graph.ways(place).chain(back).collect()
            }
            Some(task) => {
                let callers = self.callers[task].iter().copied();
                callers.chain(self.before[task].iter().map(|&before| count + before)).collect()
            }
        })
    }
}
