//! The rules about branches.

use cot_syntax::diagnostics::Errors;

use super::{conflicts, members::Parallel, places::SharedTexts, shape};
use crate::{
    check::graph::task_graph::TaskGraph,
    model::{Model, find_mention},
};

/// Checks that each branch leads to the join and nowhere else, and that no branch writes what another one reads or
/// writes.
pub(in crate::check) fn check_branches(model: &Model<'_>, graph: &TaskGraph, errors: &Errors) {
    if model.incomplete || model.tasks.iter().all(|task| task.branches.is_empty()) {
        return;
    }
    let shared = SharedTexts::new(model);
    let mut in_branch = vec![false; model.tasks.len()];
    for parallel in Parallel::all(model, graph) {
        if shape::report(model, graph, &parallel, errors) {
            // The paths of other parallel tasks may be wrong by the same mistake.
            return;
        }
        conflicts::report(model, &parallel, &shared, errors);
        let tasks = parallel.branches.iter().flat_map(|branch| &branch.tasks);
        tasks.for_each(|task| in_branch[*task] = true);
    }
    for task in model.tasks.iter().filter(|task| in_branch[task.index]) {
        let name = task.name();
        if let Some(item) = &task.syntax.items.process_output {
            errors.add_with_help(
                item.key.span(),
                format!("`process_output` is not allowed in task `{name}`, which is in a branch"),
                "it can write to the whole state while other branches run: use `update` and `next`, or \
                 call it after the join",
            );
        }
        let last =
            task.expressions().into_iter().find_map(|(_, expr)| find_mention(expr, "last_output"));
        if let Some(last) = last {
            errors.add_with_help(
                last.span(),
                format!("`last_output` is not known in task `{name}`, which is in a branch"),
                "another branch may have committed last: keep what you need in the state",
            );
        }
    }
}
