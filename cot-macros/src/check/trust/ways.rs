//! The ways from a task to others, as untrusted values pass along them.

use cot_syntax::With;
use syn::Expr;

use super::facts::{Fact, facts_in};
use crate::{
    check::graph::task_graph::{TaskGraph, after_success},
    model::{Model, Task},
};

/// A way to another task.
pub(super) struct Way {
    pub(super) target: usize,
    /// The facts that the inputs are made of.
    pub(super) with: Vec<Fact>,
    /// The facts that decide whether the way is taken.
    pub(super) decides: Vec<Fact>,
}

/// Returns the ways after success.
pub(super) fn success(model: &Model<'_>, task: &Task<'_>, graph: &TaskGraph) -> Vec<Way> {
    let facts = |expr: &Expr| facts_in(model, Some(task), expr);
    let arms = task.next.iter().map(|edge| Way {
        target: edge.target,
        with: edge.syntax.with.as_ref().map(facts).unwrap_or_default(),
        // An arm is taken if its own guard holds and those before it do not.
        decides: task
            .next
            .iter()
            .filter_map(|arm| arm.syntax.guard.as_ref())
            .flat_map(facts)
            .collect(),
    });
    let choices = task.choices.iter().map(|edge| Way {
        target: edge.target,
        with: vec![Fact::Output],
        decides: vec![Fact::Output],
    });
    let plain = |target| Way { target, with: Vec::new(), decides: Vec::new() };
    let branches = task.branches.iter().map(|edge| plain(edge.target));
    let routed = !task.next.is_empty() || !task.choices.is_empty();
    let rest = if routed { Vec::new() } else { after_success(model, task) };
    // The place after the last task is the return to any calling task.
    let back = graph.returns[task.index].then_some(model.tasks.len());
    let rest = rest.into_iter().chain(back).map(plain);
    arms.chain(choices).chain(branches).chain(rest).collect()
}

/// Returns the ways without an update.
pub(super) fn others(model: &Model<'_>, task: &Task<'_>) -> Vec<Way> {
    let transitions = task.transitions.iter().map(|edge| Way {
        target: edge.target,
        with: match &edge.syntax.with {
            Some(With::Model(_)) => vec![Fact::Shown],
            Some(With::Expr(expr)) => facts_in(model, Some(task), expr),
            None => Vec::new(),
        },
        decides: vec![Fact::Shown],
    });
    let plain = |target| Way { target, with: Vec::new(), decides: Vec::new() };
    transitions.chain(task.on.iter().map(|edge| plain(edge.target))).collect()
}
