//! A slow and simple graph search over pairs of a task and its caller, to test the linear algorithms
//! against.

use std::collections::{BTreeMap, BTreeSet};

use super::task_graph::TaskGraph;

/// A task and its caller, if any.
type RunPosition = (usize, Option<usize>);

/// All positions that a run can reach, with the positions that can follow each.
pub(super) struct Oracle<'g> {
    graph: &'g TaskGraph,
    ways: BTreeMap<RunPosition, BTreeSet<RunPosition>>,
}

impl<'g> Oracle<'g> {
    /// Searches all positions from the start.
    ///
    /// A return to a waiting task restores the caller with which it waited. The search does not track it and
    /// assumes every possible one, so that a new position can add successors to known ones. It repeats until
    /// nothing changes.
    pub(super) fn new(graph: &'g TaskGraph) -> Self {
        let ways = BTreeMap::from([((graph.start, None), BTreeSet::new())]);
        let mut oracle = Self { graph, ways };
        loop {
            let known = oracle.ways.len();
            let places: Vec<_> = oracle.ways.keys().copied().collect();
            for place in places {
                let next = oracle.next(place);
                for &next in &next {
                    oracle.ways.entry(next).or_default();
                }
                oracle.ways.insert(place, next);
            }
            if oracle.ways.len() == known {
                return oracle;
            }
        }
    }

    fn next(&self, (task, caller): RunPosition) -> BTreeSet<RunPosition> {
        let graph = self.graph;
        let mut next = BTreeSet::new();
        if graph.incomplete[task] {
            return (0..graph.calls.len()).map(|next| (next, Some(task))).collect();
        }
        for &called in &graph.calls[task] {
            next.insert((called, Some(task)));
            next.extend(self.waiting(called));
        }
        for &target in &graph.moves[task] {
            if caller != Some(target) {
                next.insert((target, caller));
            }
            next.extend(self.waiting(target));
        }
        if let (Some(caller), true) = (caller, graph.returns[task]) {
            next.extend(self.waiting(caller));
        }
        next
    }

    /// Returns the positions at which a task may wait in the chain of callers.
    fn waiting(&self, task: usize) -> Vec<RunPosition> {
        let waits = self.graph.waits(task) || self.graph.incomplete[task];
        self.places(task).filter(|_| waits).map(|(&place, _)| place).collect()
    }

    fn places(&self, task: usize) -> impl Iterator<Item = (&RunPosition, &BTreeSet<RunPosition>)> {
        self.ways.range((task, None)..=(task, Some(usize::MAX)))
    }

    pub(super) fn reached_tasks(&self) -> BTreeSet<usize> {
        self.ways.keys().map(|&(task, _)| task).collect()
    }

    pub(super) fn reached_without_callers(&self) -> BTreeSet<usize> {
        let places = self.ways.keys().filter(|(_, caller)| caller.is_none());
        places.map(|&(task, _)| task).collect()
    }

    /// Returns the tasks that can't end with any caller or, if there are none, those that can't end with
    /// some caller.
    pub(super) fn stuck_tasks(&self) -> BTreeSet<usize> {
        let ending = self.ending();
        let stuck = self.ways.keys().filter(|&place| !ending.contains(place));
        let stuck: BTreeSet<_> = stuck.map(|&(task, _)| task).collect();
        let can_end: BTreeSet<_> = ending.iter().map(|&(task, _)| task).collect();
        let always: BTreeSet<_> = stuck.difference(&can_end).copied().collect();
        if always.is_empty() { stuck } else { always }
    }

    /// Returns the positions from which an end can be reached.
    fn ending(&self) -> BTreeSet<RunPosition> {
        let is_end = |(task, caller): RunPosition| {
            self.graph.ends[task] || (caller.is_none() && self.graph.returns[task])
        };
        let ends = self.ways.keys().copied().filter(|&place| is_end(place));
        let mut ending: BTreeSet<_> = ends.collect();
        loop {
            let known = ending.len();
            for (place, next) in &self.ways {
                if !next.is_disjoint(&ending) {
                    ending.insert(*place);
                }
            }
            if ending.len() == known {
                return ending;
            }
        }
    }

    /// Returns the first task of each group of a set to which no other task of the set leads.
    pub(super) fn heads(&self, set: &BTreeSet<usize>) -> Vec<usize> {
        let reach: BTreeMap<_, _> =
            set.iter().map(|&task| (task, self.reachable(set, task))).collect();
        let is_head = |&task: &usize| {
            set.iter().all(|other| {
                !reach[other].contains(&task) || (reach[&task].contains(other) && task <= *other)
            })
        };
        set.iter().copied().filter(is_head).collect()
    }

    fn reachable(&self, set: &BTreeSet<usize>, from: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(task) = open.pop() {
            let ways = self.tasks_after(task);
            open.extend(
                ways.into_iter().filter(|next| set.contains(next) && reached.insert(*next)),
            );
        }
        reached
    }

    /// Returns the tasks to which a task can lead or, if it is never reached, the tasks that it names.
    fn tasks_after(&self, task: usize) -> Vec<usize> {
        let next: Vec<_> =
            self.places(task).flat_map(|(_, next)| next).map(|&(next, _)| next).collect();
        if next.is_empty() { self.graph.successors(task).collect() } else { next }
    }
}
