//! The rules about branches.

use std::ptr;

use cot_syntax::{Piece, TemplateText, diagnostics::Errors};

use super::{
    conflicts,
    members::Parallel,
    places::{SharedTexts, texts_of},
    shape,
};
use crate::{
    check::{diagnostic::report_in_template, graph::task_graph::TaskGraph},
    model::{Model, Task, find_mention, tool_expressions},
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
    let mut reported = Vec::new();
    for task in model.tasks.iter().filter(|task| in_branch[task.index]) {
        if let Some(item) = &task.syntax.items.process_output {
            errors.add_with_help(
                item.key.span(),
                format!(
                    "`process_output` is not allowed in task `{}`, which is in a branch",
                    task.name()
                ),
                "it can write to the whole state while other branches run: use `update` and `next`, or \
                 call it after the join",
            );
        }
        check_last_output(model, task, &mut reported, errors);
    }
}

/// Checks that a task in a branch does not use the output that was committed last. A text that tasks share is reported
/// once: `reported` are the texts that have been.
fn check_last_output<'a>(
    model: &Model<'a>,
    task: &Task<'a>,
    reported: &mut Vec<*const TemplateText>,
    errors: &Errors,
) {
    let message =
        format!("`last_output` is not known in task `{}`, which is in a branch", task.name());
    let help = "another branch may have committed last: keep what you need in the state";
    let own = task.expressions().into_iter().map(|(_, expr)| expr);
    let mut expressions = own.chain(tool_expressions(model, task).map(|(_, expr)| expr));
    if let Some(last) = expressions.find_map(|expr| find_mention(expr, "last_output")) {
        errors.add_with_help(last.span(), &message, help);
    }
    for text in texts_of(model, task) {
        let used = text.pieces.iter().find_map(|piece| match piece {
            Piece::Expr { expr, code, at } => {
                find_mention(expr, "last_output").map(|_| (*at, code))
            }
            Piece::Text(_) => None,
        });
        let Some((at, code)) = used.filter(|_| !reported.contains(&ptr::from_ref(text))) else {
            continue;
        };
        reported.push(ptr::from_ref(text));
        report_in_template(text, at, code, &message, help, errors);
    }
}
