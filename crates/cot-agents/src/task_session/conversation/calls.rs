//! Calls of an act, and their results.

use std::{collections::HashSet, slice};

use cot_model::{ToolCall, ToolResult};
use cot_task_format::{
    Block, BlockKind, Entry, Expr, Located, Object, Position, Value, internal::data,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::{
    context::SessionContext,
    text::{SharedText, text_of},
};
use crate::{json_or_text, tools::Tool};

/// A call in an act.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewCall {
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) arguments: Json,
    pub(super) position: Position,
}

/// Returns the calls of a structure.
pub(super) fn calls_in(act: &Block) -> impl Iterator<Item = NewCall> {
    act.calls().map(|call| NewCall {
        id: call.id().unwrap_or_default().into_owned(),
        tool: call.tool().unwrap_or_default().to_owned(),
        arguments: Json::Object(arguments(call.arguments())),
        position: call.expr.position,
    })
}

fn arguments<'b>(entries: impl Iterator<Item = &'b Entry>) -> Map<String, Json> {
    entries.map(|entry| (entry.key.clone(), entry.expr.to_plain_json())).collect()
}

/// Adds an id to each call that has none.
pub(super) fn add_missing_ids(act: &mut Block, taken: &[SharedText]) {
    if act.kind != BlockKind::Act {
        return;
    }
    let own: HashSet<String> = calls_in(act).map(|call| call.id).collect();
    let taken: HashSet<&str> = taken.iter().map(|id| &**id).collect();
    let mut number = taken.len();
    let mut fresh = || loop {
        number += 1;
        let id = format!("call-{number}");
        if !taken.contains(&*id) && !own.contains(&id) {
            return id;
        }
    };
    let Value::Object(object) = &mut act.content.value else { return };
    let calls = object.entries.iter_mut().filter(|entry| entry.key == "call");
    for call in calls.flat_map(|entry| items_mut(&mut entry.expr)) {
        if let Value::Object(call) = &mut call.value
            && !has_call_id(call)
        {
            call.entries.retain(|entry| entry.key != "id");
            *call = std::mem::take(call).with("id", fresh());
        }
    }
}

fn items_mut(expr: &mut Expr) -> slice::IterMut<'_, Expr> {
    match expr.value {
        Value::Array(ref mut items) => items.iter_mut(),
        _ => slice::from_mut(expr).iter_mut(),
    }
}

fn has_call_id(call: &Object) -> bool {
    match call.get("id").map(|id| &id.value) {
        Some(Value::Text(id)) => !id.is_empty(),
        Some(Value::Number(_)) => true,
        _ => false,
    }
}

/// A call that waits for its result, or for the results of earlier calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PendingCall {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: Json,
    /// Whether the call is made at most once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_once: bool,
    /// The result, which follows those of earlier calls in the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<SharedText>,
    /// Whether the trace contains the result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_added: bool,
}

impl PendingCall {
    pub(super) fn new(call: NewCall, context: &SessionContext) -> Self {
        let NewCall { id, tool, arguments, .. } = call;
        let is_once = context.tools().find(&tool).is_some_and(Tool::is_once);
        Self { id, tool, arguments, is_once, result: None, is_added: false }
    }

    /// Returns whether the result is not known.
    pub(crate) const fn is_open(&self) -> bool {
        self.result.is_none() && !self.is_added
    }

    /// Returns the call as the run performs it.
    pub(crate) fn to_tool_call(&self) -> ToolCall {
        ToolCall::new(&*self.tool, &self.arguments).with_id(&*self.id)
    }

    /// Sets the result, unless there is one.
    pub(super) fn set_result(&mut self, result: &ToolResult) {
        if self.is_open() {
            self.result = Some(text_of(&result_block(&self.id, result)));
        }
    }

    /// Returns whether a result in a trace belongs to the call.
    pub(super) fn is_answered_by(&self, block: &Block) -> bool {
        block.result_tags().any(|Located { value: tag, .. }| *tag == self.id)
    }
}

/// Returns the calls of the next round: the first one alone if it is made once, or all before the next
/// such call. So the results before a call that is interrupted are in the trace.
pub(super) fn next_round(calls: &[PendingCall]) -> impl Iterator<Item = &PendingCall> {
    let repeatable = calls.iter().take_while(|call| !call.is_once).count();
    calls.iter().take(repeatable.max(1))
}

/// Removes and returns the results for which no earlier result is missing.
pub(super) fn take_results(calls: &mut [PendingCall]) -> Vec<SharedText> {
    let mut ready = Vec::new();
    for call in calls.iter_mut().skip_while(|call| call.is_added) {
        let Some(result) = call.result.take() else { break };
        call.is_added = true;
        ready.push(result);
    }
    ready
}

/// Reads the result of a call.
pub(crate) fn read_result(result: &ToolResult) -> Result<Json, String> {
    let ToolResult { text, is_error, .. } = result;
    match is_error {
        true => Err(text.clone()),
        false => Ok(json_or_text(text)),
    }
}

/// Creates the structure with a result, as the model receives it. The set of tools bounds its length.
fn result_block(id: &str, result: &ToolResult) -> Block {
    let object = match read_result(result) {
        Ok(json) => Object::default().with("data", data::bounded_expr(&json, usize::MAX)),
        Err(error) => Object::default().with("error", error),
    };
    Block::new(BlockKind::ToolResult, Expr::from(object).tag(id))
}
