//! The ways from a task to others, as untrusted values pass along them.

use cot_syntax::{TaskKind, With};
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
    /// Whether it is a choice of which the history has an entry.
    pub(super) is_transition: bool,
}

impl Way {
    /// Creates a way that is always taken.
    const fn plain(target: usize) -> Self {
        Self { target, with: Vec::new(), decides: Vec::new(), is_transition: false }
    }
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
        is_transition: false,
    });
    let choices = task.choices.iter().map(|edge| Way {
        target: edge.target,
        with: vec![Fact::Output],
        decides: vec![Fact::Output],
        is_transition: false,
    });
    let branches = task.branches.iter().map(|edge| Way::plain(edge.target));
    let routed = !task.next.is_empty() || !task.choices.is_empty();
    let rest = if routed { Vec::new() } else { after_success(model, task) };
    // The place after the last task is the return to any calling task.
    let back = graph.returns[task.index].then_some(model.tasks.len());
    let rest = rest.into_iter().chain(back).map(Way::plain);
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
        is_transition: true,
    });
    let fails = fails(task);
    let on = task.on.iter().map(|edge| Way { decides: fails.clone(), ..Way::plain(edge.target) });
    transitions.chain(on).collect()
}

/// Returns the facts that decide whether a task fails. A sentence can make a model refuse, or return what a check rejects,
/// and a sub-process or a tool fail. Whether a function does is up to the program.
fn fails(task: &Task<'_>) -> Vec<Fact> {
    match task.kind {
        kind if kind.asks_model() => vec![Fact::Shown],
        TaskKind::Calls => vec![Fact::Shown],
        kind if kind.runs_process() => vec![Fact::Output],
        _ => Vec::new(),
    }
}
