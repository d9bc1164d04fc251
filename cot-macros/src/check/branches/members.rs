//! Finds the tasks of branches.

use std::collections::{BTreeMap, btree_map::Entry};

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;

use crate::{
    check::graph::task_graph::TaskGraph,
    model::{Edge, Model, Task},
};

/// A parallel task with the tasks of its branches.
pub(super) struct Parallel<'m, 'a> {
    pub(super) task: &'m Task<'a>,
    pub(super) join: usize,
    pub(super) branches: Vec<BranchTasks<'m, 'a>>,
}

/// The tasks of a branch: those that can be reached from its first task before the join.
pub(super) struct BranchTasks<'m, 'a> {
    pub(super) edge: &'m Edge<'a, Ident>,
    /// Each task with the one before it on a shortest path; none for the first task.
    before: BTreeMap<usize, Option<usize>>,
    /// The tasks, in the order in which they are found.
    pub(super) tasks: Vec<usize>,
    /// Whether the join can be reached.
    pub(super) joins: bool,
}

impl<'m, 'a> Parallel<'m, 'a> {
    /// Returns the parallel tasks whose targets are all known.
    pub(super) fn all(model: &'m Model<'a>, graph: &TaskGraph) -> Vec<Self> {
        let parallel = model.tasks.iter().filter_map(|task| {
            let join = task.next.first().filter(|_| !task.branches.is_empty())?.target;
            let branches = task.branches.iter();
            let branches = branches.map(|edge| BranchTasks::find(edge, join, graph)).collect();
            Some(Self { task, join, branches })
        });
        let is_known = |task: &usize| !model.tasks[*task].incomplete;
        let parallel = parallel.filter(|it| {
            let tasks = it.branches.iter().flat_map(|branch| &branch.tasks);
            // The suggestion for a misspelled name is too uncertain.
            let is_named = |(name, target): (&Ident, usize)| {
                model.tasks[target].name().unraw() == name.unraw()
            };
            let mut names = it.task.branches.iter().map(|edge| (edge.syntax, edge.target));
            let mut joins = it.task.next.iter().map(|edge| (&edge.syntax.target, edge.target));
            let are_named = names.all(is_named) && joins.all(is_named);
            are_named && !it.task.incomplete && tasks.into_iter().all(is_known)
        });
        parallel.collect()
    }
}

impl<'m, 'a> BranchTasks<'m, 'a> {
    fn find(edge: &'m Edge<'a, Ident>, join: usize, graph: &TaskGraph) -> Self {
        let mut branch =
            Self { edge, before: BTreeMap::new(), tasks: Vec::new(), joins: edge.target == join };
        if branch.joins {
            return branch;
        }
        branch.before.insert(edge.target, None);
        branch.tasks.push(edge.target);
        let mut at = 0;
        while let Some(&task) = branch.tasks.get(at) {
            for next in graph.successors(task) {
                if next == join {
                    branch.joins = true;
                } else if let Entry::Vacant(free) = branch.before.entry(next) {
                    free.insert(Some(task));
                    branch.tasks.push(next);
                }
            }
            at += 1;
        }
        branch
    }

    /// Returns the task before this one on the shortest path to it.
    pub(super) fn before(&self, task: usize) -> Option<usize> {
        self.before.get(&task).copied().flatten()
    }

    /// Returns the names of the tasks on the shortest path to a task: `first -> second -> task`.
    pub(super) fn path_to(&self, model: &Model<'_>, task: usize) -> String {
        let mut path = model.tasks[task].name().to_string();
        let mut at = task;
        while let Some(before) = self.before(at) {
            path = format!("{} -> {path}", model.tasks[before].name());
            at = before;
        }
        path
    }

    /// Returns the place in the source that leads to a task of the branch.
    pub(super) fn way_to(&self, model: &Model<'_>, task: usize) -> Span {
        match self.before(task) {
            Some(before) => span_of_way(model, &model.tasks[before], task),
            None => self.edge.syntax.span(),
        }
    }
}

/// Returns the place in the source at which a task leads to another one.
pub(super) fn span_of_way(model: &Model<'_>, task: &Task<'_>, to: usize) -> Span {
    let transitions = task.transitions.iter().map(|edge| (edge.target, &edge.syntax.target));
    let next = task.next.iter().map(|edge| (edge.target, &edge.syntax.target));
    let names = task.choices.iter().chain(&task.branches).map(|edge| (edge.target, edge.syntax));
    let on = task.on.iter().map(|edge| (edge.target, &edge.syntax.target));
    let mut ways = transitions.chain(next).chain(names).chain(on);
    let named = ways.find(|(target, _)| *target == to).map(|(_, name)| name.span());
    let default = || {
        let item = model.syntax.items.default_return.as_ref()?;
        (model.default_return == Some(to) && task.in_sequence.is_none()).then(|| item.value.span())
    };
    named.or_else(default).unwrap_or_else(|| task.name().span())
}
