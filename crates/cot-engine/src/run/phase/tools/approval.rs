//! The question to a person whether a tool may be called.

use std::{sync::Arc, time::Duration};

use cot_model::{Tool, ToolResult};
use cot_reader::internal::coerce_output;
use cot_schema::{CotOutput, Issues, internal::truncate};
use serde_json::Value;

use super::numbered_call::NumberedCall;
use crate::{
    process::tool::approval::Approval,
    protocol::{
        directive::{Action, CallId, Directive, Question},
        key::call_key::CallPart,
        run_event::event::RunEvent,
    },
    run::{attempts::Attempts, context::RunContext},
    snapshot::tools::CallProgressData,
};

/// Maximum length of the reason of a denial that a model receives.
const MAX_REASON_BYTES: usize = 2000;
/// Maximum length of the description of a tool in a question.
const MAX_DESCRIPTION_BYTES: usize = 1000;
/// Maximum length of arguments that are shown on several lines.
const MAX_PRETTY_BYTES: usize = 4 << 10;

/// Waits for a person.
#[derive(Debug, Clone)]
pub(crate) struct ApprovalWait {
    pub(crate) id: CallId,
    /// The number of the question, from 1. It is asked again after an answer that can't be read.
    attempt: u32,
    /// The issues of the last answer.
    issues: Option<Issues>,
    /// The question; created at the first poll.
    question: Option<Arc<Question>>,
}

/// The answer of a person.
pub(crate) enum ApprovalAnswer {
    Approved,
    Denied(ToolResult),
    /// The answer is not valid, and the question is asked again.
    Refused(Issues),
}

impl ApprovalWait {
    pub(crate) const fn begin(cx: &mut RunContext<'_>) -> Self {
        Self { id: cx.facts.new_call(), attempt: 1, issues: None, question: None }
    }

    pub(crate) const fn restore(id: CallId, attempt: u32, issues: Option<Issues>) -> Self {
        Self { id, attempt, issues, question: None }
    }

    pub(crate) fn save(&self) -> CallProgressData {
        let Self { id: call, attempt, ref issues, .. } = *self;
        CallProgressData::Asking { call, attempt, issues: issues.clone() }
    }

    /// Returns the directive of the question. `tool` is absent if it does not exist any more.
    pub(crate) fn directive(
        &mut self,
        made: NumberedCall<'_>,
        tool: Option<&Tool>,
        task: &Attempts,
        cx: &mut RunContext<'_>,
    ) -> Directive {
        if self.question.is_none() {
            let text = question_text(made, tool, cx);
            let (schema, issues) = (Approval::output_schema(), self.issues.clone());
            let question = Arc::new(Question { text, schema, issues });
            let task = cx.visit.task;
            cx.host.emit(|| RunEvent::Asked { task, question: Arc::clone(&question) });
            self.question = Some(question);
        }
        let question = self.question.clone();
        let left = cx.facts.time_for_person(cx.visit.task, task.spent).map(|(left, _)| left);
        let action = question.map_or(Action::pause(Duration::ZERO), Action::AskHuman);
        let mut directive = cx.directive((self.id, self.attempt), left, action);
        directive.key = directive.key.with_part(CallPart::Approval(made.number));
        directive
    }

    /// Applies an answer.
    pub(crate) fn answer(&mut self, answer: Value, cx: &mut RunContext<'_>) -> ApprovalAnswer {
        let read = coerce_output(Approval::output_schema(), answer).and_then(|value| {
            serde_json::from_value(value).map_err(|error| Issues::at("$", error.to_string()))
        });
        match read {
            Ok(Approval { approved: true, .. }) => ApprovalAnswer::Approved,
            Ok(Approval { reason, .. }) => ApprovalAnswer::Denied(denial(reason.as_deref())),
            Err(issues) => {
                self.attempt = self.attempt.saturating_add(1);
                (self.id, self.question) = (cx.facts.new_call(), None);
                self.issues = Some(issues.clone());
                ApprovalAnswer::Refused(issues)
            }
        }
    }
}

fn denial(reason: Option<&str>) -> ToolResult {
    let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
    ToolResult::error(match reason {
        Some(reason) => {
            format!("a person did not approve the call: {}", truncate(reason, MAX_REASON_BYTES))
        }
        None => "a person did not approve the call".to_owned(),
    })
}

fn question_text(made: NumberedCall<'_>, tool: Option<&Tool>, cx: &RunContext<'_>) -> String {
    let NumberedCall { call, arguments, .. } = made;
    let is_model = cx.facts.definition.task(cx.visit.task).kind.calls().is_none();
    let caller = if is_model { "model" } else { "process" };
    let task = cx.facts.definition.task(cx.visit.task).about.title;
    let name = &call.name;
    let description = tool.map(|tool| truncate(&tool.description, MAX_DESCRIPTION_BYTES));
    let description = description.map(|text| format!(": {text}")).unwrap_or_default();
    let compact = arguments.to_string();
    let pretty = match compact.len() <= MAX_PRETTY_BYTES {
        true => serde_json::to_string_pretty(arguments).ok(),
        false => None,
    };
    // Deeply nested values are mostly indentation.
    let pretty = pretty.filter(|pretty| pretty.len() <= 4 * MAX_PRETTY_BYTES);
    let arguments = pretty.unwrap_or(compact);
    format!(
        "The {caller} wants to call the tool `{name}`{description}\n\nThe task: {task}\n\n\
         The arguments:\n{arguments}\n\nMay the tool be called?"
    )
}
