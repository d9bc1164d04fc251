//! Rules for tasks that reason, which can be AI or for-each tasks.

use cot_syntax::diagnostics::Errors;

use crate::model::{Model, Task};

/// Checks that a task that reasons has no output, other prompt or transitions.
pub(in crate::check) fn check_nothing_stands_beside_reason(model: &Model<'_>, errors: &Errors) {
    let reasoning = |task: &&Task<'_>| {
        let reads = task.syntax.read().is_some();
        task.kind_is_certain() && task.syntax.reason().is_some() && !reads
    };
    for task in model.tasks.iter().filter(reasoning) {
        if let Some(output) = &task.syntax.output {
            errors.add_over_with_help(
                output,
                "a task that reasons can't declare an output",
                "its output is `cot_core::reasoning::Reasoning`: remove the type",
            );
        }
        for key in &task.syntax.keys {
            if let Some((_, help)) = BESIDE_REASON.iter().find(|(word, _)| key == word) {
                let message = format!("`{key}` can't be combined with `reason`");
                errors.add_with_help(key.span(), message, *help);
            }
        }
    }
}

/// The items that can't be combined with `reason`, each with a help text.
const BESIDE_REASON: &[(&str, &str)] = &[
    ("prompt", "`reason` is the prompt of a task that reasons: write all of it there"),
    ("full_prompt", "a task that reasons adds instructions to its prompt: leave `full_prompt` out"),
    ("transitions", "a task that reasons does not choose: lead to a task that does, with `next`"),
    ("tools", "a task that reasons calls no tools: call them in a task before it"),
    ("max_tool_calls", "a task that reasons calls no tools: remove it"),
];
