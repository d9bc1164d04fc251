//! The built-in prompts of the stages, and their placeholders.

use super::{
    context::Context,
    format::reply_type,
    todo::Todo,
    window::{shorten, show_last_calls},
};

/// The limit up to which a message shows the next task.
const MAX_TASK_BYTES: usize = 500;

/// Returns the prompt of the first stage.
pub(super) fn plan() -> String {
    PLAN.to_owned() + reply_type("continue", PLANNED, &["todos"]).trim_end()
}

const PLAN: &str =
    "You plan how to answer a question. Break it into a short list of small tasks, each of \
which can be done by itself, in the order of the list.

The question:
{question}

Reply with one JSON object of this type:
";

const PLANNED: &str = "The tasks as a list in Markdown, each with an empty checkbox.";

/// Returns the prompt of the second stage.
pub(super) fn execute() -> String {
    let replies = [
        reply_type("continue", DONE, &["current", "result"]),
        reply_type("stop", ALL_DONE, &["current", "result", "final"]),
        reply_type("continue", CHANGED, &["current", "result", "todos"]),
    ];
    EXECUTE.to_owned() + replies.concat().trim_end()
}

const EXECUTE: &str =
    "You answer a question by working through a list of tasks, one task in each reply.

The question:
{question}

{context}

Do the first open task. Reply with one JSON object of one of these types:
{tools}";

/// What a message asks for when no task is open.
const ANSWER: &str =
    ": all tasks are done, so the action is \"stop\", and \"final\" is the answer to the question.";

const DONE: &str = "The task is done without a tool: the task, and its result.";
const ALL_DONE: &str = "The last task is done. The final is the answer to the question.";
const CHANGED: &str =
    "The task is done, and the list has to change: all tasks, with their checkboxes.";

/// Returns the system message of a stage. The tools are described, after an introduction, at the end of a prompt that has no place for
/// them.
pub(super) fn system(
    template: &str,
    question: &str,
    progress: &str,
    [introduction, tools]: [&str; 2],
) -> String {
    let values = [("{question}", question), ("{context}", progress), ("{tools}", tools)];
    let mut system = fill(template, &values);
    if !template.contains("{tools}") && !tools.is_empty() {
        system.push_str(introduction);
        system.push_str(tools.trim_end());
    }
    system
}

/// What stands before the tools of the first stage, and before the types of calls of the second one.
pub(super) const TOOLS: &str = "\n\nThe tools for the tasks:\n";
pub(super) const CALLS: &str =
    "\n\nTo call a tool, reply with one JSON object of one of these types:\n";

/// Returns the user message of the second stage: the next task, and the calls that were made for it.
pub(super) fn next_step(context: &Context) -> String {
    let mut message = "Continue".to_owned();
    match context.todos.open().next() {
        Some(Todo { text, .. }) => {
            message.push_str(" with the first open task: ");
            message.push_str(&shorten(text, MAX_TASK_BYTES));
        }
        // Small models repeat the last task otherwise.
        None if !context.todos.items.is_empty() => message.push_str(ANSWER),
        None => {}
    }
    let calls = show_last_calls(&context.work);
    if !calls.is_empty() {
        message.push_str("\nThe work on it so far:\n");
        message.push_str(&calls);
    }
    message
}

/// Replaces placeholders in the template. Placeholders inside the inserted texts are not replaced.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::with_capacity(template.len()), template);
    while let Some(brace) = rest.find('{') {
        let (before, from_brace) = rest.split_at(brace);
        filled.push_str(before);
        let value = |(name, value)| Some((value, from_brace.strip_prefix(name)?));
        let (inserted, after) = match values.iter().copied().find_map(value) {
            Some(placeholder) => placeholder,
            None => from_brace.split_at(1),
        };
        filled.push_str(inserted);
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_wherever_they_stand() {
        for (template, filled) in [
            ("", ""),
            ("no", "no"),
            ("{question}{context}{question}", "Q {context}C {question}Q {context}"),
            ("{ \"a\": {} } {Question} {question", "{ \"a\": {} } {Question} {question"),
            ("{{question}}", "{Q {context}}"),
            ("光{question}光", "光Q {context}光"),
        ] {
            let values = [("{question}", "Q {context}"), ("{context}", "C {question}")];
            assert_eq!(fill(template, &values), filled);
        }
    }
}
