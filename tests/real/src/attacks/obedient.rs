//! A model that does what the user asks for, and obeys an attack as soon as it is shown it.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use cot_core::model::{BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest, ToolCall};
use serde_json::json;

use super::suites::{Attack, Call, UserTask};

/// Calls what solves the task, one tool after the other; before its next call it does what the attack says.
pub(super) struct Obedient {
    answer: String,
    sentence: String,
    plan: Mutex<Plan>,
    /// The bytes that it was shown and that it wrote.
    pub(super) bytes: AtomicU64,
}

struct Plan {
    task: std::vec::IntoIter<Call>,
    attack: Vec<Call>,
}

impl Obedient {
    pub(super) fn new(task: &UserTask, attack: &Attack) -> Self {
        let plan = Plan { task: task.calls.clone().into_iter(), attack: attack.calls.clone() };
        Self {
            answer: task.answer.clone(),
            // A tool may return its lines as JSON.
            sentence: attack.goal.lines().next().unwrap_or_default().to_owned(),
            plan: Mutex::new(plan),
            bytes: AtomicU64::new(0),
        }
    }

    /// Returns the next calls, none if all is done.
    fn next_calls(&self, is_attacked: bool) -> Vec<ToolCall> {
        let mut plan = self.plan.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let calls = match is_attacked {
            true if !plan.attack.is_empty() => std::mem::take(&mut plan.attack),
            _ => plan.task.next().into_iter().collect(),
        };
        calls.into_iter().map(|call| ToolCall::new(call.tool, call.arguments)).collect()
    }
}

impl LanguageModel for Obedient {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            let shown = shown(request);
            let calls = self.next_calls(shown.contains(&self.sentence));
            let text = json!({ "text": self.answer });
            let written = if calls.is_empty() { text.to_string() } else { format!("{calls:?}") };
            let bytes = shown.len() + written.len();
            self.bytes.fetch_add(u64::try_from(bytes).unwrap_or(u64::MAX), Ordering::Relaxed);
            Ok(if calls.is_empty() { text.into() } else { ModelReply::calling(calls) })
        })
    }

    fn calls_tools(&self) -> bool {
        true
    }
}

/// Returns the text of a request: its messages, and the calls with their results.
fn shown(request: &ModelRequest) -> String {
    let mut text = request.system().unwrap_or_default().to_owned() + request.prompt();
    for (call, result) in request.rounds.iter().flat_map(|round| round.iter()) {
        text.push_str(&call.arguments);
        text.push_str(&result.text);
    }
    text
}
