//! Finds loops of gateways.

use super::groups::Groups;
use crate::model::Model;
use cot_syntax::TaskKind;

/// The loops of gateways, in which nothing changes between two visits.
pub(in crate::check) struct Loops {
    group: Vec<Option<usize>>,
    /// The gateways to which each gateway leads. Those that wait or take inputs are left out.
    ways: Vec<Vec<usize>>,
}

impl Loops {
    pub(super) fn new(model: &Model<'_>, moves: &[Vec<usize>]) -> Self {
        let gateway = |task: usize| model.tasks[task].kind == TaskKind::Gateway;
        let same = |next: &usize| {
            let items = &model.tasks[*next].syntax.items;
            gateway(*next) && items.wait.is_none() && items.inputs.is_none()
        };
        let ways = moves.iter().enumerate().map(|(task, moves)| match gateway(task) {
            true => moves.iter().copied().filter(same).collect(),
            false => Vec::new(),
        });
        let ways: Vec<Vec<usize>> = ways.collect();
        let groups = Groups::new(ways.len(), 0..ways.len(), |task| ways[task].clone());
        Self { group: groups.group_of, ways }
    }

    /// Returns whether a task is a gateway that leads back to itself.
    pub(super) fn contains(&self, task: usize) -> bool {
        self.ways[task].iter().any(|&next| self.group[next] == self.group[task])
    }

    /// Returns the first back edge of each loop, which leads to a task that is not declared later.
    pub(super) fn back_edges(&self, model: &Model<'_>) -> Vec<(usize, usize)> {
        let mut reported = vec![false; self.group.len()];
        let mut edges = Vec::new();
        for task in model.tasks.iter().filter(|task| !task.incomplete).map(|task| task.index) {
            for &next in self.ways[task].iter().filter(|&&next| next <= task) {
                let group = self.group[next].filter(|_| self.group[next] == self.group[task]);
                if group.is_some_and(|group| !std::mem::replace(&mut reported[group], true)) {
                    edges.push((task, next));
                }
            }
        }
        edges
    }
}
