//! Where each task leads.

use std::collections::{BTreeMap, VecDeque, btree_map::Entry};

use cot_syntax::TaskKind;

use super::guards::CountGuard;
use crate::{
    check::graph::{
        groups::Groups,
        task_graph::{TaskGraph, after_success},
    },
    model::{Model, Task},
};

/// A way from a task to the next one.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) to: usize,
    /// Whether the way is taken after an output was committed, and so after its writes.
    pub(super) is_success: bool,
    /// The guards that have to hold, as far as they count.
    pub(super) guards: Vec<CountGuard>,
}

/// The ways of a process. The place after the last task stands for the return to a caller.
#[derive(Debug)]
pub(super) struct Ways {
    pub(super) by_place: Vec<Vec<Way>>,
    /// The first tasks of the branches of each task.
    pub(super) branches: Vec<Vec<usize>>,
}

impl Ways {
    pub(super) fn new(model: &Model<'_>, graph: &TaskGraph) -> Self {
        let count = model.tasks.len();
        let joins = joins(model, graph);
        let called = called_tasks(model, graph);
        let mut by_place: Vec<Vec<Way>> = Vec::with_capacity(count + 1);
        for task in &model.tasks {
            let mut ways = ways_of(model, task);
            ways.retain(|way| !joins[task.index].contains(&way.to));
            if graph.returns[task.index] && called[task.index] {
                ways.push(Way { to: count, is_success: true, guards: Vec::new() });
            }
            by_place.push(ways);
        }
        let callers = model.tasks.iter().filter(|task| !task.transitions.is_empty());
        let back = callers.map(|task| Way { to: task.index, is_success: true, guards: Vec::new() });
        by_place.push(back.collect());
        let branches =
            model.tasks.iter().map(|task| task.branches.iter().map(|edge| edge.target).collect());
        Self { by_place, branches: branches.collect() }
    }

    /// Returns the places to which a place leads, with the branches of a task.
    pub(super) fn all_from(&self, place: usize) -> Vec<usize> {
        let branches = self.branches.get(place).into_iter().flatten().copied();
        self.by_place[place].iter().map(|way| way.to).chain(branches).collect()
    }
}

impl Ways {
    /// Returns the tasks of a shortest way from a task back to it.
    pub(super) fn way_around(&self, start: usize) -> Vec<usize> {
        let mut before = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(place) = open.pop_front() {
            for way in &self.by_place[place] {
                if let Entry::Vacant(free) = before.entry(way.to) {
                    free.insert(place);
                    open.push_back(way.to);
                }
            }
        }
        let (mut round, mut at) = (vec![start], start);
        while let Some(&place) = before.get(&at) {
            round.push(place);
            at = place;
            if place == start {
                break;
            }
        }
        round.reverse();
        round.retain(|place| *place < self.branches.len());
        round
    }
}

/// Places that lead back to each other, or a single place.
pub(super) struct Group<'g> {
    pub(super) places: Vec<usize>,
    index: usize,
    groups: &'g Groups,
}

impl<'g> Group<'g> {
    /// Returns all groups. One that leads to another one comes after it.
    pub(super) fn all(groups: &'g Groups) -> Vec<Self> {
        let group = |index| Self { places: Vec::new(), index, groups };
        let mut all: Vec<_> = (0..groups.count).map(group).collect();
        for (place, group) in groups.group_of.iter().enumerate() {
            group.iter().for_each(|group| all[*group].places.push(place));
        }
        all
    }

    pub(super) fn contains(&self, place: usize) -> bool {
        self.groups.group_of[place] == Some(self.index)
    }

    /// Returns the ways from a place of the group to others of it.
    pub(super) fn ways_from<'w>(
        &self,
        ways: &'w Ways,
        place: usize,
    ) -> impl Iterator<Item = &'w Way> {
        ways.by_place[place].iter().filter(|way| self.contains(way.to))
    }

    /// Returns the ways between the places of the group, with the place from which each leads.
    pub(super) fn ways<'w>(&self, ways: &'w Ways) -> impl Iterator<Item = (usize, &'w Way)> {
        self.places
            .iter()
            .flat_map(move |&from| self.ways_from(ways, from).map(move |way| (from, way)))
    }

    /// Returns the places outside of the group to which it leads.
    pub(super) fn exits(&self, ways: &Ways) -> impl Iterator<Item = usize> {
        let all = self.places.iter().flat_map(move |&from| &ways.by_place[from]);
        all.map(|way| way.to).filter(|to| !self.contains(*to))
    }

    /// Returns whether a run can come to a place of the group twice.
    pub(super) fn is_cyclic(&self, ways: &Ways) -> bool {
        self.ways(ways).next().is_some()
    }
}

/// Returns the ways of a task, without returns and branches.
fn ways_of(model: &Model<'_>, task: &Task<'_>) -> Vec<Way> {
    let choices = task.transitions.iter().map(|edge| Way {
        to: edge.target,
        is_success: false,
        guards: CountGuard::all_in(edge.syntax.guard.as_ref()),
    });
    let failures =
        task.on.iter().map(|edge| Way { to: edge.target, is_success: false, guards: Vec::new() });
    let mut ways: Vec<_> = choices.chain(failures).collect();
    if task.next.is_empty() || !task.choices.is_empty() {
        let success = after_success(model, task).into_iter();
        ways.extend(success.map(|to| Way { to, is_success: true, guards: Vec::new() }));
        return ways;
    }
    // An arm is tried after those before it, so that their guards did not hold.
    let mut before = Vec::new();
    for edge in &task.next {
        let guard = edge.syntax.guard.as_ref();
        let mut guards = CountGuard::all_in(guard);
        guards.extend_from_slice(&before);
        ways.push(Way { to: edge.target, is_success: true, guards });
        before.extend(guard.into_iter().flat_map(CountGuard::all_in_negation));
    }
    ways
}

/// Returns the tasks at which the branches of a task end, for each task in a branch.
fn joins(model: &Model<'_>, graph: &TaskGraph) -> Vec<Vec<usize>> {
    let mut joins = vec![Vec::new(); model.tasks.len()];
    for task in model.tasks.iter().filter(|task| task.kind == TaskKind::Parallel) {
        let Some(join) = task.next.first().map(|edge| edge.target) else { continue };
        let mut open: Vec<_> = task.branches.iter().map(|edge| edge.target).collect();
        while let Some(inner) = open.pop() {
            if inner != join && !joins[inner].contains(&join) {
                joins[inner].push(join);
                open.extend(graph.successors(inner));
            }
        }
    }
    joins
}

/// Returns the tasks that can run while another one waits for them to return.
fn called_tasks(model: &Model<'_>, graph: &TaskGraph) -> Vec<bool> {
    let mut called = vec![false; model.tasks.len()];
    let targets =
        model.tasks.iter().flat_map(|task| task.transitions.iter().map(|edge| edge.target));
    let mut open: Vec<_> = targets.collect();
    while let Some(task) = open.pop() {
        if !std::mem::replace(&mut called[task], true) {
            open.extend(&graph.moves[task]);
        }
    }
    called
}
