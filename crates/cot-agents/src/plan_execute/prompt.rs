//! The built-in prompts of the stages, their placeholders, and the requests of stages.

use std::sync::Arc;

use cot_model::{ModelRequest, ReplySchema};
use cot_schema::Issues;

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
    format!("{PLAN}\n{}", reply_type("continue", "", &[("todos", PLANNED)]))
}

const PLAN: &str =
    "You plan how to answer a question. Break it into a short list of small tasks, each of \
which can be done by itself, in the order of the list.

The question:
{question}

Reply with one JSON object of this type:";

const PLANNED: &str = "The tasks as a list in Markdown, each with an empty checkbox.";

/// Returns the prompt of the second stage.
pub(super) fn execute() -> String {
    let task = [("current", "The task."), ("result", "Its result.")];
    let [current, result] = task;
    let done = reply_type("continue", "The task is done.", &task);
    let stop = [current, result, ("final", "The answer to the question.")];
    let stop = reply_type("stop", "The last task is done.", &stop);
    let changed =
        [current, result, ("todos", "All tasks, those that are done with a ticked checkbox.")];
    let changed = reply_type("continue", "The task is done, and the list has to change.", &changed);
    format!("{EXECUTE}\n{done}\n{stop}\n{changed}")
}

const EXECUTE: &str =
    "You answer a question by working through a list of tasks, one task in each reply.

The question:
{question}

{context}

Do the first open task. Reply with one JSON object of one of these types:";

/// Returns the user message of the second stage: the next task, and the calls that were made for it.
pub(super) fn next_step(context: &Context) -> String {
    let mut message = "Continue".to_owned();
    if let Some(Todo { text, .. }) = context.todos.open().next() {
        message.push_str(" with the first open task: ");
        message.push_str(&shorten(text, MAX_TASK_BYTES));
    }
    let calls = show_last_calls(&context.work);
    if !calls.is_empty() {
        message.push_str("\nThe work on it so far:\n");
        message.push_str(&calls);
    }
    message
}

/// Returns the request of a stage that is used without a run.
pub(super) fn request(
    context: &Context,
    template: &str,
    text: &str,
    schema: &Arc<ReplySchema>,
) -> ModelRequest {
    let system = fill(template, &context.question, &context.progress());
    let message = message(text, context.issues.as_ref());
    let mut request = ModelRequest::new(message).with_system(system);
    request.schema = Some(Arc::clone(schema));
    request
}

/// Returns the user message: a text, and the issues of the last reply.
pub(super) fn message(text: &str, issues: Option<&Issues>) -> String {
    match issues {
        None => text.to_owned(),
        Some(issues) => {
            format!("{text}\n\nYour last reply could not be used: {issues}\nReply again.")
        }
    }
}

/// Replaces `{question}` and `{context}` in the template. Placeholders inside the inserted texts are not
/// replaced.
pub(super) fn fill(template: &str, question: &str, context: &str) -> String {
    let mut filled = String::with_capacity(template.len() + question.len() + context.len());
    let mut rest = template;
    while let Some(brace) = rest.find('{') {
        let (before, from_brace) = rest.split_at(brace);
        filled.push_str(before);
        rest = if let Some(after) = from_brace.strip_prefix("{question}") {
            filled.push_str(question);
            after
        } else if let Some(after) = from_brace.strip_prefix("{context}") {
            filled.push_str(context);
            after
        } else {
            filled.push('{');
            &from_brace[1..]
        };
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
            assert_eq!(fill(template, "Q {context}", "C {question}"), filled);
        }
    }
}
