//! Checks the paths of branches.

use cot_syntax::diagnostics::Errors;

use super::members::{BranchTasks, Parallel, span_of_way};
use crate::{check::graph::task_graph::TaskGraph, model::Model};

/// Reports the mistakes in the paths of the branches of a parallel task. Returns whether there are any.
pub(super) fn report(
    model: &Model<'_>,
    graph: &TaskGraph,
    parallel: &Parallel<'_, '_>,
    errors: &Errors,
) -> bool {
    let before = errors.len();
    report_list(parallel, errors);
    if errors.len() > before {
        return true;
    }
    for branch in &parallel.branches {
        report_branch(model, graph, parallel, branch, errors);
    }
    if errors.len() == before {
        report_shared(model, parallel, errors);
    }
    if errors.len() == before {
        report_entries(model, graph, parallel, errors);
    }
    errors.len() > before
}

/// Reports mistakes in the list of branches itself.
fn report_list(parallel: &Parallel<'_, '_>, errors: &Errors) {
    let name = parallel.task.name();
    for (index, branch) in parallel.branches.iter().enumerate() {
        let first = branch.edge.syntax;
        if parallel.branches[..index].iter().any(|it| it.edge.target == branch.edge.target) {
            errors.add_with_help(
                first.span(),
                format!("branch `{first}` of `{name}` is given twice"),
                "remove one of the two; for the same work on many items, write a for-each task",
            );
        } else if branch.edge.target == parallel.join {
            errors.add_with_help(
                first.span(),
                format!("branch `{first}` of `{name}` has no task before the join"),
                "remove it, or name the first task of a branch",
            );
        }
    }
    if parallel.branches.len() == 1 && parallel.task.syntax.invalid.is_empty() {
        errors.add_with_help(
            name.span(),
            format!("`{name}` has one branch only, so nothing runs beside it"),
            "name two branches or more, or lead to the task with `next`",
        );
    }
}

/// Reports a branch that does not lead to the join, or elsewhere too.
fn report_branch(
    model: &Model<'_>,
    graph: &TaskGraph,
    parallel: &Parallel<'_, '_>,
    branch: &BranchTasks<'_, '_>,
    errors: &Errors,
) {
    let (name, first) = (parallel.task.name(), branch.edge.syntax);
    let join = model.tasks[parallel.join].name();
    let note = |task: usize| format!("the path is {}", branch.path_to(model, task));
    let lead = format!("lead to the join of the branches: `{join}`");
    if let Some(task) = branch.tasks.iter().copied().find(|task| *task == parallel.task.index) {
        errors.add_with_notes(
            branch.way_to(model, task),
            &format!(
                "branch `{first}` of `{name}` leads back to `{name}`, whose branches still run"
            ),
            &[("note", &note(task)), ("help", &lead)],
        );
        return;
    }
    let terminal = branch.tasks.iter().copied().find(|it| model.tasks[*it].kind.is_terminal());
    if let Some(task) = terminal {
        let end = model.tasks[task].name();
        errors.add_with_notes(
            branch.way_to(model, task),
            &format!("branch `{first}` of `{name}` can end the process at `{end}`"),
            &[("note", &note(task)), ("help", &lead)],
        );
        return;
    }
    if let Some(task) = ended_task(graph, parallel, branch) {
        let end = &model.tasks[task];
        errors.add_with_notes(
            end.syntax.items.may_end.as_ref().map_or(end.name().span(), |item| item.key.span()),
            &format!("branch `{first}` of `{name}` can end at `{}`, before the join", end.name()),
            &[("note", &note(task)), ("help", &lead)],
        );
        return;
    }
    if !branch.joins {
        errors.add_with_help(
            first.span(),
            format!("branch `{first}` of `{name}` never reaches the join `{join}`"),
            format!("lead there: write `next: {join}` in the last task of the branch"),
        );
    }
}

/// Returns a task of a branch after which nothing follows: it has no route, and no task of the branch has called it.
fn ended_task(
    graph: &TaskGraph,
    parallel: &Parallel<'_, '_>,
    branch: &BranchTasks<'_, '_>,
) -> Option<usize> {
    let alone = graph.reached_without_callers(branch.edge.target, Some(parallel.join));
    let mut tasks = branch.tasks.iter().copied();
    tasks.find(|&task| alone[task] && graph.returns[task] && !graph.ends[task])
}

/// Reports a task that is in two branches.
fn report_shared(model: &Model<'_>, parallel: &Parallel<'_, '_>, errors: &Errors) {
    let name = parallel.task.name();
    let mut owners = vec![None; model.tasks.len()];
    for branch in &parallel.branches {
        let owner = |task: &usize| owners[*task].map(|owner: usize| (*task, owner));
        if let Some((task, owner)) = branch.tasks.iter().find_map(owner) {
            let (other, shared) = (&parallel.branches[owner], model.tasks[task].name());
            let (one, two) = (other.edge.syntax, branch.edge.syntax);
            let paths = format!(
                "the paths are {} and {}",
                other.path_to(model, task),
                branch.path_to(model, task)
            );
            errors.add_with_notes(
                branch.way_to(model, task),
                &format!("task `{shared}` is in the branches `{one}` and `{two}` of `{name}`"),
                &[
                    ("note", &paths),
                    ("help", "declare a task for each branch, or put it after the join"),
                ],
            );
        }
        let index = parallel.branches.iter().position(|it| it.edge.target == branch.edge.target);
        branch.tasks.iter().for_each(|task| owners[*task] = index);
    }
}

/// Reports a task outside of a branch that leads into it.
fn report_entries(
    model: &Model<'_>,
    graph: &TaskGraph,
    parallel: &Parallel<'_, '_>,
    errors: &Errors,
) {
    let name = parallel.task.name();
    let mut owners: Vec<Option<&BranchTasks<'_, '_>>> = vec![None; model.tasks.len()];
    for branch in &parallel.branches {
        branch.tasks.iter().for_each(|task| owners[*task] = Some(branch));
    }
    let help = format!("lead to `{name}`, which starts all its branches");
    if let Some(branch) = owners[model.start] {
        let (first, start) = (branch.edge.syntax, &model.tasks[model.start]);
        let item = model.syntax.items.start.as_ref().map(|item| item.value.span());
        errors.add_with_help(
            item.unwrap_or(start.name().span()),
            format!(
                "the process starts at `{}`, in the branch `{first}` of `{name}`",
                start.name()
            ),
            "write `start: task`, with a task outside of the branches",
        );
        return;
    }
    for task in model.tasks.iter().filter(|task| owners[task.index].is_none()) {
        let into = |next: &usize| *next != parallel.task.index && owners[*next].is_some();
        if task.index == parallel.task.index {
            report_own_ways(model, parallel, &owners, errors);
            continue;
        }
        let Some(next) = graph.successors(task.index).find(into) else { continue };
        let Some(branch) = owners[next] else { continue };
        let (first, to) = (branch.edge.syntax, model.tasks[next].name());
        errors.add_with_help(
            span_of_way(model, task, next),
            format!("`{}` leads to `{to}`, in the branch `{first}` of `{name}`", task.name()),
            &help,
        );
    }
}

/// Reports a route of `on` of the parallel task that leads into a branch.
fn report_own_ways(
    model: &Model<'_>,
    parallel: &Parallel<'_, '_>,
    owners: &[Option<&BranchTasks<'_, '_>>],
    errors: &Errors,
) {
    let name = parallel.task.name();
    for edge in &parallel.task.on {
        let Some(branch) = owners[edge.target] else { continue };
        let (first, to) = (branch.edge.syntax, model.tasks[edge.target].name());
        errors.add_with_help(
            edge.syntax.target.span(),
            format!("`on` of `{name}` leads to `{to}`, in its branch `{first}`"),
            "lead to a task outside of the branches",
        );
    }
}
