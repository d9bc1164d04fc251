//! Rules for `found_in`.

use cot_syntax::{
    FoundRow,
    diagnostics::{Errors, join_names},
};
use proc_macro2::Ident;
use quote::ToTokens;

use crate::model::{Model, Task, is_tool_source, root_of_place, same_tokens};

/// Checks that each source is a place in the state, the inputs or the item, or a tool of the task. Arguments of a tool
/// stand in the state alone.
pub(super) fn check_sources_are_known(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let known = task.sources().map(|(_, source)| source).collect::<Vec<_>>();
        for row in rows(task) {
            let is_known = known.iter().any(|source| std::ptr::eq(*source, &row.source));
            if !is_known && !is_tool(task, row) {
                report_source(row, sources(task), errors);
            }
        }
    }
    let rows = model.tools.iter().flat_map(|tool| tool.found_rows());
    for row in rows.filter(|row| !is_tool_source(&row.source)) {
        report_source(row, format!("a source of arguments is {STATE}"), errors);
    }
}

const STATE: &str = "a field of the state: `state.text`";

fn report_source(row: &FoundRow, help: String, errors: &Errors) {
    let message = format!("`{}` is no source of `found_in`", written(&row.source));
    errors.add_over_with_help(&row.source, message, help);
}

/// Checks that no member is listed twice, and that some are.
pub(super) fn check_members_are_distinct(model: &Model<'_>, errors: &Errors) {
    let tools = model.tools.iter().filter_map(|tool| tool.items.found_in.as_ref());
    let tasks = model.tasks.iter().filter_map(|task| task.syntax.items.found_in.as_ref());
    for found_in in tasks.chain(tools) {
        let (key, rows) = (&found_in.key, &found_in.value.rows);
        if found_in.value.is_empty {
            let help = "write `found_in: { name: state.text }`, or remove it";
            errors.add_with_help(key.span(), "`found_in` lists no members", help);
        }
        for (index, row) in rows.iter().enumerate() {
            if rows[..index].iter().any(|other| same_tokens(&other.member, &row.member)) {
                errors.add_over_with_help(
                    &row.member,
                    format!("member `{}` is listed twice", written(&row.member)),
                    "a value stands in one source: remove one of the two",
                );
            }
        }
    }
}

/// Returns whether the source of a row is a tool of the task.
pub(crate) fn is_tool(task: &Task<'_>, row: &FoundRow) -> bool {
    let name = root_of_place(&row.source).filter(|name| same_tokens(name, &row.source));
    name.is_some_and(|name| task.has_tool(name))
}

/// Returns code as the user wrote it, without spaces.
pub(crate) fn written(code: &impl ToTokens) -> String {
    code.to_token_stream().to_string().replace(' ', "")
}

fn rows<'a>(task: &Task<'a>) -> impl Iterator<Item = &'a FoundRow> {
    task.syntax.items.found_in.iter().flat_map(|item| &item.value.rows)
}

fn sources(task: &Task<'_>) -> String {
    let items = &task.syntax.items;
    let mut names = vec![STATE.to_owned()];
    names.extend(items.inputs.as_ref().map(|_| "a member of the `inputs`".to_owned()));
    let item = items.for_each.as_ref().map(|item| &item.value.item);
    names.extend(item.map(|item: &Ident| format!("the item: `{item}`")));
    if !task.tools.is_empty() {
        let tools = join_names(task.tools.iter().map(|used| &used.syntax.name));
        names.push(format!("the results of a tool of the task ({tools})"));
    }
    format!("a source is {}", names.join(", or "))
}
