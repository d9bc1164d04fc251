//! Why a quantity has no bound.

use cot_bounds::{Bound, Quantity, WorstCase};
use cot_syntax::TaskKind;

use super::{
    evaluate::Evaluated,
    plan::{Node, Plan},
};
use crate::model::{Model, Task};

/// Something that leaves quantities without a bound.
#[derive(Debug)]
pub(crate) struct Cause {
    /// What it is, in words.
    pub(crate) text: String,
    /// What would bound them.
    pub(super) help: String,
    /// The quantities are those that have more than zero here.
    affected: WorstCase,
}

impl Cause {
    /// Returns all causes but those in sub-processes.
    pub(crate) fn all_in(plan: &Plan<'_>, model: &Model<'_>) -> Vec<Self> {
        let causes = Self::find(plan, model, |_| true);
        let Some(costs) = Evaluated::new(plan) else { return causes };
        // A limit can bound what the paths do not.
        let is_missing = |quantity: &Quantity| costs.run.bound(*quantity) == Bound::UNBOUNDED;
        let missing: Vec<_> = Quantity::ALL.into_iter().filter(is_missing).collect();
        let is_cause = |cause: &Self| {
            missing.iter().any(|quantity| cause.affected.bound(*quantity) > Bound::ZERO)
        };
        causes.into_iter().filter(is_cause).collect()
    }

    /// Returns why a quantity has no bound.
    pub(super) fn find_for(quantity: Quantity, plan: &Plan<'_>, model: &Model<'_>) -> Option<Self> {
        let is_used = |case: &WorstCase| case.bound(quantity) > Bound::ZERO;
        let mut causes = Self::find(plan, model, is_used).into_iter();
        causes.find(|cause| is_used(&cause.affected))
    }

    /// Finds the causes, and for loops a way around that passes a visit with such a cost.
    fn find(
        plan: &Plan<'_>,
        model: &Model<'_>,
        is_meant: impl Fn(&WorstCase) -> bool,
    ) -> Vec<Self> {
        let visits = plan.reached.iter().flat_map(|task| in_visit(plan, &model.tasks[*task]));
        let loops = plan.nodes.iter().filter_map(|node| match node {
            Node::Loop { laps: Bound::UNBOUNDED, lap, .. } => endless(plan, model, lap, &is_meant),
            _ => None,
        });
        // A limit of steps bounds the loops, the default only where nobody is asked.
        let asks = || Evaluated::new(plan).is_none_or(|it| it.step.questions > Bound::ZERO);
        let is_limited = plan.limits.steps.is_some() && !(plan.limits.is_default && asks());
        visits.chain(loops.filter(|_| !is_limited)).collect()
    }
}

fn endless(
    plan: &Plan<'_>,
    model: &Model<'_>,
    lap: &[usize],
    is_meant: impl Fn(&WorstCase) -> bool,
) -> Option<Cause> {
    let tasks = lap.iter().filter_map(|node| match plan.nodes[*node] {
        Node::Visit { task, .. } => Some(task),
        _ => None,
    });
    let cost = |task: usize| match &plan.visits[task] {
        visit if visit.child.is_some() => WorstCase::UNBOUNDED,
        visit => visit.own,
    };
    let mut tasks =
        tasks.filter(|task| cost(*task) != WorstCase::NOTHING && is_meant(&cost(*task)));
    let first = tasks.next()?;
    let round = plan.ways.way_around(first).into_iter();
    let names: Vec<_> = round.map(|task| format!("`{}`", model.tasks[task].name())).collect();
    Some(Cause {
        text: format!("{} repeats without a bound", names.join(" -> ")),
        help:
            "set `max_steps`, or lead back only while a count is small: `if state.items.len() < 12`"
                .to_owned(),
        affected: tasks.map(cost).fold(cost(first), WorstCase::plus),
    })
}

/// Returns why a single visit of a task has no bound.
fn in_visit(plan: &Plan<'_>, task: &Task<'_>) -> Vec<Cause> {
    let visit = &plan.visits[task.index];
    let cause = |item: &str, affected: WorstCase| Cause {
        text: format!("`{}` sets no `{item}`", task.name()),
        help: format!("set `{item}` in it"),
        affected,
    };
    let only_unbounded = |bound: Bound| if bound == Bound::UNBOUNDED { bound } else { Bound::ZERO };
    let own = visit.own;
    let of_items = WorstCase {
        model_calls: only_unbounded(own.model_calls),
        function_calls: only_unbounded(own.function_calls),
        output_tokens: only_unbounded(own.output_tokens),
        prompt_bytes: only_unbounded(own.prompt_bytes),
        questions: only_unbounded(own.questions),
    };
    if task.kind.is_each() && task.syntax.items.max_items.is_none() {
        let affected = if visit.child.is_some() { WorstCase::UNBOUNDED } else { of_items };
        return vec![cause("max_items", affected)];
    }
    if of_items == WorstCase::NOTHING {
        return Vec::new();
    }
    let item = if task.kind == TaskKind::Human { "max_retries" } else { "max_tokens" };
    vec![cause(item, of_items)]
}
