//! The costs of all paths of a process, as a list of sums and maxima.

use cot_bounds::{Bound, DEFAULT_MAX_STEPS, Limits};

use super::{
    counting,
    visit::{VisitCost, limit},
    ways::{Group, Ways},
};
use crate::{
    check::graph::{groups::Groups, task_graph::TaskGraph},
    model::Model,
};

/// The costs of a process.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    /// The cost of a visit of each task.
    pub(crate) visits: Vec<VisitCost<'a>>,
    /// Each node refers to nodes before it alone.
    pub(crate) nodes: Vec<Node>,
    /// The node of the first task.
    pub(crate) start: usize,
    /// The tasks that a run can reach.
    pub(crate) reached: Vec<usize>,
    pub(crate) limits: Limits,
    pub(super) ways: Ways,
}

/// What a run costs from a place on.
#[derive(Debug)]
pub(crate) enum Node {
    /// A visit of a task, with its branches, and then one of `next`.
    Visit { task: usize, branches: Vec<usize>, next: Vec<usize> },
    /// The return to a caller, and then one of `next`.
    Return { next: Vec<usize> },
    /// Laps of a loop, each of which costs one of `lap`, and then one of `next`.
    Loop { laps: Bound, lap: Vec<usize>, next: Vec<usize> },
}

impl<'a> Plan<'a> {
    pub(in crate::check) fn new(model: &Model<'a>, graph: &TaskGraph) -> Self {
        let ways = Ways::new(model, graph);
        let count = ways.by_place.len();
        let groups = Groups::new(count, [model.start], |place| ways.all_from(place));
        let mut nodes = Nodes { nodes: Vec::new(), of_place: vec![None; count] };
        for group in Group::all(&groups) {
            nodes.add_group(model, &ways, &group);
        }
        let mut plan = Self {
            visits: model.tasks.iter().map(|task| VisitCost::new(model, task)).collect(),
            start: nodes.of_place[model.start].unwrap_or_default(),
            reached: (0..model.tasks.len())
                .filter(|task| groups.group_of[*task].is_some())
                .collect(),
            nodes: nodes.nodes,
            limits: Limits::NONE,
            ways,
        };
        plan.limits = plan.find_limits(model);
        plan
    }

    fn find_limits(&self, model: &Model<'_>) -> Limits {
        let items = &model.syntax.items;
        let max_steps = items.max_steps.as_ref().and_then(|item| item.value.base10_parse().ok());
        let is_default = self.is_endless() && items.max_steps.is_none() && items.budget.is_none();
        Limits {
            steps: max_steps.or(is_default.then_some(DEFAULT_MAX_STEPS)),
            is_default,
            model_calls: items.budget.as_ref().and_then(|item| limit(&item.value.calls)),
        }
    }

    /// Returns whether a loop can repeat until a run is halted.
    pub(crate) fn is_endless(&self) -> bool {
        self.nodes
            .iter()
            .any(|node| matches!(node, Node::Loop { laps, .. } if *laps == Bound::UNBOUNDED))
    }

    /// Returns whether a sub-process contributes to the costs.
    pub(crate) fn has_children(&self) -> bool {
        self.visits.iter().any(|visit| visit.child.is_some())
    }
}

/// The nodes so far.
struct Nodes {
    nodes: Vec<Node>,
    /// The node of each place.
    of_place: Vec<Option<usize>>,
}

impl Nodes {
    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn add_group(&mut self, model: &Model<'_>, ways: &Ways, group: &Group<'_>) {
        let next = self.nodes_of(group.exits(ways));
        if !group.is_cyclic(ways) {
            group.places.iter().for_each(|place| {
                let node = self.visit(model, ways, *place, next.clone());
                self.of_place[*place] = Some(node);
            });
            return;
        }
        let (laps, lap) = self.add_laps(model, ways, group);
        let node = self.add(Node::Loop { laps, lap, next });
        group.places.iter().for_each(|place| self.of_place[*place] = Some(node));
    }

    fn visit(&mut self, model: &Model<'_>, ways: &Ways, place: usize, next: Vec<usize>) -> usize {
        let branches = ways.branches.get(place).into_iter().flatten().copied();
        let branches = self.nodes_of(branches);
        self.add(match place < model.tasks.len() {
            true => Node::Visit { task: place, branches, next },
            false => Node::Return { next },
        })
    }

    /// Adds the nodes of the paths within one lap of a loop. Returns the number of laps.
    fn add_laps(
        &mut self,
        model: &Model<'_>,
        ways: &Ways,
        group: &Group<'_>,
    ) -> (Bound, Vec<usize>) {
        let Some(counted) = counting::laps(model, ways, group) else {
            let visits =
                group.places.iter().map(|place| self.visit(model, ways, *place, Vec::new()));
            return (Bound::UNBOUNDED, visits.collect());
        };
        let within = |place: usize| -> Vec<usize> {
            let ways = group.ways_from(ways, place).filter(|way| counted.is_within_lap(place, way));
            ways.map(|way| way.to).collect()
        };
        let order = Groups::new(ways.by_place.len(), group.places.iter().copied(), within);
        let mut lap = Vec::new();
        for place in Group::all(&order).into_iter().flat_map(|group| group.places) {
            let next = self.nodes_of(within(place).into_iter());
            let node = self.visit(model, ways, place, next);
            self.of_place[place] = Some(node);
            lap.push(node);
        }
        (Bound::at_most(counted.laps), lap)
    }

    fn nodes_of(&self, places: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut nodes: Vec<_> = places.filter_map(|place| self.of_place[place]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}
