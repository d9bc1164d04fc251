//! Evaluates the costs of a process whose numbers are all known.

use cot_bounds::{Bound, Quantity, WorstCase};

use super::plan::{Node, Plan};
use crate::model::Model;

/// The costs of a process without sub-processes.
pub(crate) struct Evaluated<'p, 'a> {
    plan: &'p Plan<'a>,
    nodes: Vec<WorstCase>,
    /// The most that a step costs.
    pub(crate) step: WorstCase,
    /// The most that a run costs.
    pub(crate) run: WorstCase,
}

impl<'p, 'a> Evaluated<'p, 'a> {
    /// Returns `None` if sub-processes contribute to the costs.
    pub(crate) fn new(plan: &'p Plan<'a>) -> Option<Self> {
        if plan.has_children() {
            return None;
        }
        let mut nodes: Vec<WorstCase> = Vec::with_capacity(plan.nodes.len());
        for node in &plan.nodes {
            nodes.push(cost(plan, node, &nodes));
        }
        let steps = plan.reached.iter().map(|task| plan.visits[*task].own);
        let step = steps.fold(WorstCase::NOTHING, WorstCase::or);
        let run = nodes.get(plan.start).copied().unwrap_or(WorstCase::NOTHING);
        let run = run.limited(step, plan.limits);
        Some(Self { plan, nodes, step, run })
    }

    /// Returns the terms of the path that costs most of a quantity.
    pub(super) fn terms(&self, quantity: Quantity, model: &Model<'_>) -> Vec<String> {
        if quantity == Quantity::ModelCalls
            && let Some(calls) =
                self.plan.limits.model_calls.filter(|calls| *calls == self.run.model_calls)
        {
            return vec![format!("`budget` {calls} calls")];
        }
        let cost = |node: usize| self.nodes[node].bound(quantity);
        let is_cut = cost(self.plan.start) > self.run.bound(quantity);
        if let Some(steps) = self.plan.limits.steps.filter(|_| is_cut) {
            let most = |task: &&usize| self.plan.visits[**task].own.bound(quantity);
            let most = self.plan.reached.iter().max_by_key(most);
            let most =
                most.map(|task| (&model.tasks[*task], self.plan.visits[*task].formula(quantity)));
            let all = self.run.bound(quantity);
            let term = most
                .map(|(task, cost)| format!("`{}` {steps} steps x {cost} = {all}", task.name()));
            return term.into_iter().collect();
        }
        let mut terms = Vec::new();
        let mut open = vec![self.plan.start];
        while let Some(node) = open.pop() {
            let most = |nodes: &[usize]| nodes.iter().copied().max_by_key(|node| cost(*node));
            match &self.plan.nodes[node] {
                Node::Visit { task, branches, next } => {
                    open.extend(most(next));
                    open.extend(branches);
                    if self.plan.visits[*task].own.bound(quantity) > Bound::ZERO {
                        terms.push(self.visit_text(*task, quantity, model));
                    }
                }
                Node::Return { next } => open.extend(most(next)),
                Node::Loop { laps, lap, next, .. } => {
                    open.extend(most(next));
                    if let Some(lap) = most(lap).filter(|lap| cost(*lap) > Bound::ZERO) {
                        let names = self.names_from(lap, quantity, model);
                        terms.push(format!(
                            "{names} {laps} laps x {} = {}",
                            cost(lap),
                            cost(lap).times(*laps)
                        ));
                    }
                }
            }
        }
        terms
    }

    fn visit_text(&self, task: usize, quantity: Quantity, model: &Model<'_>) -> String {
        let (visit, name) = (&self.plan.visits[task], model.tasks[task].name());
        let (formula, cost) = (visit.formula(quantity), visit.own.bound(quantity));
        match formula == cost.to_string() {
            true => format!("`{name}` {cost}"),
            false => format!("`{name}` {formula} = {cost}"),
        }
    }

    /// Returns the tasks of the most expensive path within a lap.
    fn names_from(&self, node: usize, quantity: Quantity, model: &Model<'_>) -> String {
        let mut names = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let next = match &self.plan.nodes[node] {
                Node::Visit { task, next, .. } => {
                    names.push(format!("`{}`", model.tasks[*task].name()));
                    next
                }
                Node::Return { next } | Node::Loop { next, .. } => next,
            };
            at = next.iter().copied().max_by_key(|node| self.nodes[*node].bound(quantity));
        }
        names.join(" -> ")
    }
}

fn cost(plan: &Plan<'_>, node: &Node, before: &[WorstCase]) -> WorstCase {
    let most = |nodes: &[usize]| {
        nodes.iter().map(|node| before[*node]).fold(WorstCase::NOTHING, WorstCase::or)
    };
    match node {
        Node::Visit { task, branches, next } => {
            let branches = branches.iter().map(|node| before[*node]);
            branches.fold(plan.visits[*task].own, WorstCase::plus).plus(most(next))
        }
        Node::Return { next } => most(next),
        Node::Loop { laps, lap, next, .. } => most(lap).times(*laps).plus(most(next)),
    }
}
