//! Rules for AI tasks that read replies in a format of the program's own.

use cot_syntax::{TaskKind, diagnostics::Errors};

use crate::model::{Model, Task};

/// Checks that a task with `read` has an output, and no items that need the format of the library.
pub(in crate::check) fn check_nothing_stands_beside_read(model: &Model<'_>, errors: &Errors) {
    let is_ai = |task: &&Task<'_>| task.kind == TaskKind::Ai && task.kind_is_certain();
    for task in model.tasks.iter().filter(is_ai) {
        let Some(read) = task.syntax.read() else { continue };
        let before = errors.len();
        for key in &task.syntax.keys {
            if let Some((_, help)) = BESIDE_READ.iter().find(|(word, _)| key == word) {
                let message = format!("`{key}` can't be combined with `read`");
                errors.add_with_help(key.span(), message, *help);
            }
        }
        if task.output.is_none() && errors.len() == before {
            let name = task.name();
            errors.add_with_help(
                read.span(),
                format!("`read` needs an output, but task `{name}` has none"),
                format!("declare what the function returns: `task {name} -> Output {{ … }}`"),
            );
        }
    }
}

/// The items that can't be combined with `read`, each with a help text.
const BESIDE_READ: &[(&str, &str)] = &[
    ("reason", "both decide how a reply is read: write `prompt` for `reason`, or leave `read` out"),
    (
        "transitions",
        "a task with `read` does not choose: choose in `process_output`, with `-> [first, second]`",
    ),
    ("examples", "examples are outputs, which `read` can't write as replies: use `turns`"),
    ("max_tool_calls", "a task with `read` makes no calls itself: its function receives them"),
];
