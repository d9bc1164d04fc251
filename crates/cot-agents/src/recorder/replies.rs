//! Writes the answers in a journal that its events do not show.

use cot_engine::{CallKey, internal::VisitKey};
use cot_store::{Answer, AttemptHistory};
use cot_task_format::{Expr, Object};
use serde_json::Value as Json;

use super::{
    answers::visits,
    trace_writer::{TraceWriter, json_expr},
    visit::TaskAt,
};
use crate::json_or_text;

impl TraceWriter {
    /// Writes the answers of a task, or of an item of it, unless what the trace shows is the same.
    pub(super) fn write_answers(
        &mut self,
        at: TaskAt<'_>,
        item: Option<usize>,
        shown: Option<&Json>,
    ) {
        for answer in self.answers.take_own((at, self.visit_number(at)), item) {
            self.outline.learn_from(at, &answer);
            answer.answer.iter().for_each(|answer| self.write_answer(at, answer, shown));
        }
    }

    /// Writes answers to which no event has come, nor will come.
    pub(super) fn write_late_answers(&mut self, late: Vec<AttemptHistory>) {
        for answer in &late {
            if let (Some(key), Some(result)) = (&answer.key, &answer.answer) {
                self.write_late_answer(key, answer, result);
            }
        }
    }

    fn write_late_answer(&mut self, key: &CallKey, attempt: &AttemptHistory, answer: &Answer) {
        let visits = visits(key);
        let mut process = String::new();
        for (index, VisitKey { task, number, .. }) in visits.iter().enumerate() {
            process = self.process_at(&visits[..index]);
            self.begin_visit(TaskAt { process: &process, outer: &visits[..index], task }, *number);
        }
        let outer = &visits[..visits.len().saturating_sub(1)];
        let at = TaskAt { process: &process, outer, task: key.task() };
        self.outline.learn_from(at, attempt);
        match (key.tool_call(), key.approval()) {
            (Some(call), _) => {
                let result = as_result(answer);
                self.end_call(at, (call, ""), result.as_deref().map_err(String::as_str));
            }
            (None, Some(_)) => self.approve(at, &answer_json(answer)),
            (None, None) if key.is_check() => {}
            (None, None) => self.write_answer(at, answer, None),
        }
    }

    fn write_answer(&mut self, at: TaskAt<'_>, answer: &Answer, shown: Option<&Json>) {
        let json = answer_json(answer);
        let (what, text) = match answer {
            Answer::Replied { text, .. } => ("reply", Some(text)),
            Answer::Answered(_) => ("answer", None),
            Answer::Returned(_) => ("returned", None),
            _ => ("failed", None),
        };
        let has = |shown: &Json| *shown == json || text.is_some_and(|text| has_text(shown, text));
        if !shown.is_some_and(has) {
            self.note(at, Expr::from(Object::default().with(what, json_expr(&json))));
        }
    }
}

/// Returns whether a text is part of a value.
fn has_text(json: &Json, text: &str) -> bool {
    match json {
        Json::String(part) => part == text,
        Json::Array(items) => items.iter().any(|item| has_text(item, text)),
        Json::Object(members) => members.values().any(|member| has_text(member, text)),
        _ => false,
    }
}

/// Returns an answer as JSON; a text that is not JSON as a string.
fn answer_json(answer: &Answer) -> Json {
    match answer {
        Answer::Replied { text, .. } => json_or_text(text),
        Answer::Answered(value) | Answer::Returned(value) => value.clone(),
        other => other.to_string().into(),
    }
}

/// Returns the answer of an attempt as text.
pub(super) fn answer_text(answer: Option<&Answer>) -> String {
    match answer {
        Some(Answer::Replied { text, .. } | Answer::Failed(text)) => text.clone(),
        Some(Answer::Answered(value) | Answer::Returned(value)) => value.to_string(),
        _ => String::new(),
    }
}

/// Returns the answer to a call of a tool as the model receives it.
fn as_result(answer: &Answer) -> Result<String, String> {
    match answer {
        Answer::Returned(value) => Ok(value.to_string()),
        Answer::Failed(error) => Err(error.clone()),
        Answer::TimedOut => Err("no answer in time".to_owned()),
        _ => Err("interrupted, and not made again".to_owned()),
    }
}
