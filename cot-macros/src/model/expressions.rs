//! The expressions outside templates.

use cot_syntax::Tool;
use syn::Expr;

use super::{process::Model, task::Task, uses::root_of_place, visible_names::Place};

/// Returns every expression outside templates.
pub(crate) fn all_expressions<'a>(model: &Model<'a>) -> Vec<&'a Expr> {
    let tasks = model.tasks.iter().flat_map(|task| task.expressions());
    let tools = model.tools.iter().flat_map(|tool| expressions_in(tool));
    tasks.chain(tools).map(|(_, expr)| expr).collect()
}

/// Returns the expressions of a tool, its guard and the sources of its arguments, with their places.
pub(crate) fn expressions_in(tool: &Tool) -> impl Iterator<Item = (Place, &Expr)> {
    let sources = tool.found_rows().iter().map(|row| &row.source);
    let sources = sources.filter(|source| is_tool_source(source));
    let guard = tool.guard.iter().map(|guard| (Place::Guard, guard));
    guard.chain(sources.map(|source| (Place::Source, source)))
}

/// Returns the expressions of the tools that a task uses, which the process declares.
pub(crate) fn tool_expressions<'a>(
    model: &Model<'a>,
    task: &Task<'a>,
) -> impl Iterator<Item = (Place, &'a Expr)> {
    task.tools.iter().flat_map(|used| expressions_in(model.tools[used.tool]))
}

/// Returns whether an expression can be a source of arguments. A tool is used by several tasks, so that it is no value
/// of one of them.
pub(crate) fn is_tool_source(source: &Expr) -> bool {
    root_of_place(source).is_some_and(|root| root == "state" || root == "goal")
}
