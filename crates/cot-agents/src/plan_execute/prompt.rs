//! The built-in prompts of the stages, their placeholders, and the requests of stages.

use std::sync::Arc;

use cot_model::{ModelRequest, ReplySchema};
use cot_schema::Issues;

use super::context::Context;

/// The user message of the second stage. Most servers require one.
pub(super) const CONTINUE: &str = "Continue";

/// The prompt of the first stage.
pub(super) const PLAN: &str = r#"You plan how to answer a question. Break it into a short list of small tasks, each of which can be done by itself, in the order of the list.

The question:
{question}

Reply with one JSON object and nothing else:
{ "todos": "- [ ] first task\n- [ ] second task", "action": "continue" }

"todos" is the list, one line for each task. "action" is "continue", to begin with the first task."#;

/// The prompt of the second stage.
pub(super) const EXECUTE: &str = r#"You answer a question by working through a list of tasks, one task in each reply.

The question:
{question}

{context}

Do the first task that is still open. Reply with one JSON object and nothing else:
{
  "current": "the task that you work on",
  "result": "what came of it",
  "todos": "- [x] a task that is done\n- [ ] a task that is left",
  "action": "continue",
  "final": "the answer to the question, only when action is stop"
}

"todos" is the whole list, with this task ticked; add tasks or take some out where that helps. "action" is "continue" while tasks are left, and "stop" when the question is answered: then "final" must hold the whole answer."#;

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

    #[test]
    fn the_own_prompts_show_formats_that_can_be_read() {
        let json = |prompt: &str| {
            let start = prompt.find("\n{").unwrap();
            let end = prompt.rfind('}').unwrap();
            prompt[start..=end].to_owned()
        };
        assert!(super::super::PlanReply::read(&json(&PLAN.replace("{question}", ""))).is_ok());
        let execute = EXECUTE.replace("{question}", "").replace("{context}", "");
        assert!(super::super::ExecuteReply::read(&json(&execute)).is_ok());
    }
}
