//! Tasks that reason, of either kind that asks a model.

use cot_syntax::diagnostics::Errors;

use crate::model::{Model, Task};

/// A task that reasons asks for nothing else, in no other words.
pub(in crate::check) fn check_nothing_stands_beside_reason(model: &Model<'_>, errors: &Errors) {
    let reasoning = |task: &&Task<'_>| task.kind_is_sure() && task.syntax.reason().is_some();
    for task in model.tasks.iter().filter(reasoning) {
        if let Some(output) = &task.syntax.output {
            errors.add_over_with_help(
                output,
                "a task that reasons declares no output",
                "its output is `cot_core::reasoning::Reasoning`: remove the type",
            );
        }
        for key in &task.syntax.keys {
            if let Some((_, help)) = BESIDE_REASON.iter().find(|(word, _)| key == word) {
                let message = format!("`{key}` can't stand beside `reason`");
                errors.add_with_help(key.span(), message, *help);
            }
        }
    }
}

/// What can't stand beside `reason`, and what to do about it.
const BESIDE_REASON: &[(&str, &str)] = &[
    ("prompt", "`reason` is the prompt of a task that reasons: write all of it there"),
    (
        "full_prompt",
        "the prompt of a task that reasons ends with how to think: leave `full_prompt` out",
    ),
    (
        "transitions",
        "a task that reasons does not choose: let it go on to a task that does, with `next`",
    ),
];
