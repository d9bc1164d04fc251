//! The answers in a journal whose result no event has told yet.

use cot_engine::{Attempt, CallKey, internal::VisitKey};
use cot_store::{Answer, AttemptHistory};
use serde_json::Value as Json;

use super::{trace_writer::TraceWriter, visit::TaskAt};
use crate::json_or_text;

/// The answers of a stored run to which no event has come yet. Runs that are observed have none.
#[derive(Debug, Default)]
pub(super) struct Answers(Vec<AttemptHistory>);

impl Answers {
    pub(super) fn add(&mut self, answer: AttemptHistory) {
        let Some(key) = &answer.key else { return };
        if key.round() > 0 {
            // The replies before this one called tools.
            let is_earlier = |other: &CallKey| is_main(other) && other.visits().eq(key.visits());
            self.0.retain(|other| !other.key.as_ref().is_some_and(is_earlier));
        }
        self.0.push(answer);
    }

    fn take(&mut self, is_wanted: impl Fn(&CallKey) -> bool) -> Vec<AttemptHistory> {
        let is_wanted = |answer: &mut AttemptHistory| answer.key.as_ref().is_some_and(&is_wanted);
        self.0.extract_if(.., is_wanted).collect()
    }
}

impl TraceWriter {
    /// Takes the answers to calls of the visit that a task is in.
    fn take_answers(
        &mut self,
        at: TaskAt<'_>,
        is_wanted: impl Fn(&CallKey) -> bool,
    ) -> Vec<AttemptHistory> {
        let number = self.visit_number(at);
        let is_current = |visit: &VisitKey| [0, visit.number].contains(&number);
        let answers = self.answers.take(|key| {
            // Many answers of items can be there.
            is_wanted(key)
                && key.visits().count() == at.outer.len() + 1
                && at.visit_in(&visits(key)).is_some_and(is_current)
        });
        answers.iter().for_each(|answer| self.learn_from(at, answer));
        answers
    }

    /// Learns from an answer what performs a task, unless it is a model.
    fn learn_from(&mut self, at: TaskAt<'_>, answer: &AttemptHistory) {
        let performer = match &answer.answer {
            Some(Answer::Answered(_)) => "A person",
            Some(Answer::Replied { .. }) | None => return,
            Some(_) => "A function",
        };
        if answer.prompt.is_none() && answer.key.as_ref().is_some_and(is_main) {
            self.outline.learn_performer(at, || performer.to_owned());
        }
    }

    /// Takes the answer to the last call of a failed attempt; `None` if the attempt has it itself.
    pub(super) fn take_failed(
        &mut self,
        at: TaskAt<'_>,
        failed: &Attempt,
    ) -> Option<AttemptHistory> {
        let attempt = (failed.number, failed.item);
        let is_its = |key: &CallKey| (key.attempt(), key.item()) == attempt && !is_of_tool(key);
        let answers = self.take_answers(at, is_its);
        answers.into_iter().rfind(|answer| answer.key.as_ref().is_some_and(is_main))
    }

    /// Takes the answers to a call of a tool, whose result its event has, and to the question whether to make it.
    pub(super) fn take_approval(&mut self, at: TaskAt<'_>, call: u32) -> Option<Json> {
        let is_its = |key: &CallKey| key.tool_call().or_else(|| key.approval()) == Some(call);
        let mut answers = self.take_answers(at, is_its).into_iter();
        answers.find_map(|answer| match answer.answer? {
            Answer::Answered(approval) => Some(approval),
            _ => None,
        })
    }

    /// Writes the answers of a task, or of an item of it, unless what the trace shows is the same.
    pub(super) fn write_answers(
        &mut self,
        at: TaskAt<'_>,
        item: Option<usize>,
        shown: Option<&Json>,
    ) {
        let is_its = |key: &CallKey| is_main(key) && (item.is_none() || key.item() == item);
        let answers = self.take_answers(at, is_its);
        answers.iter().filter_map(|answer| answer.answer.as_ref()).for_each(|answer| {
            self.write_answer(at, answer, shown);
        });
    }

    /// Writes the answers of the sub-processes that the visit of a task runs: all, or those of an item or an attempt.
    pub(super) fn write_answers_below(
        &mut self,
        at: TaskAt<'_>,
        item: Option<usize>,
        attempt: Option<u32>,
    ) {
        let number = self.visit_number(at);
        let is_its = |visit: &VisitKey| {
            [0, visit.number].contains(&number)
                && (item.is_none() || visit.item == item)
                && attempt.is_none_or(|attempt| visit.attempt == attempt)
        };
        let answers = self.answers.take(|key| {
            key.visits().count() > at.outer.len() + 1
                && at.visit_in(&visits(key)).is_some_and(is_its)
        });
        answers.into_iter().for_each(|answer| self.write_last_answer(answer));
    }

    /// Writes the answers after which the journal has no event.
    pub(super) fn write_last_answers(&mut self) {
        let answers = self.answers.take(|_| true);
        answers.into_iter().for_each(|answer| self.write_last_answer(answer));
    }

    fn write_last_answer(&mut self, last: AttemptHistory) {
        let (Some(key), Some(answer)) = (&last.key, &last.answer) else { return };
        let visits = visits(key);
        let mut process = String::new();
        for (index, VisitKey { task, number, .. }) in visits.iter().enumerate() {
            process = self.process_at(&visits[..index]);
            self.begin_visit(TaskAt { process: &process, outer: &visits[..index], task }, *number);
        }
        let outer = &visits[..visits.len().saturating_sub(1)];
        let at = TaskAt { process: &process, outer, task: key.task() };
        self.learn_from(at, &last);
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
            self.reply(at, what, &json);
        }
    }
}

fn visits(key: &CallKey) -> Vec<VisitKey> {
    key.visits().cloned().collect()
}

/// Returns whether a call is the first that its attempt makes, or one of the model after rounds of tool calls.
fn is_main(key: &CallKey) -> bool {
    !key.is_check() && !is_of_tool(key)
}

/// Returns whether a call is one of a tool, or the question whether to make it.
fn is_of_tool(key: &CallKey) -> bool {
    key.tool_call().or_else(|| key.approval()).is_some()
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
