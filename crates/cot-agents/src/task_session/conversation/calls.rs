//! Calls of an act, and their results.

use std::{collections::HashSet, slice};

use cot_task_format::{
    Block, BlockKind, Entry, Expr, Located, Object, Position, Value, internal::data,
};
use serde_json::{Map, Value as Json};

/// A call in an act.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewCall {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: Json,
    pub(crate) position: Position,
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
pub(super) fn add_missing_ids(act: &mut Block, taken: &HashSet<String>) {
    let own: HashSet<String> = calls_in(act).map(|call| call.id).collect();
    let mut number = taken.len();
    let mut fresh = || loop {
        number += 1;
        let id = format!("call-{number}");
        if !taken.contains(&id) && !own.contains(&id) {
            return id;
        }
    };
    let Value::Object(object) = &mut act.content.value else { return };
    if act.kind != BlockKind::Act {
        return;
    }
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

/// A call with its result, if there is one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PendingCall {
    pub(super) call: NewCall,
    result: Option<Block>,
}

/// The calls that wait for results, in the order of the act.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PendingCalls(Vec<PendingCall>);

impl PendingCalls {
    pub(super) fn add(&mut self, calls: impl Iterator<Item = NewCall>) {
        self.0.extend(calls.map(|call| PendingCall { call, result: None }));
    }

    /// Returns the calls without a result.
    pub(super) fn open(&self) -> impl Iterator<Item = &NewCall> {
        self.0.iter().filter(|pending| pending.result.is_none()).map(|pending| &pending.call)
    }

    /// Stores the result of a call. Removes and returns the results for which no earlier result is missing.
    pub(super) fn add_result(
        &mut self,
        id: &str,
        result: &Result<Json, String>,
        max_bytes: usize,
    ) -> Vec<Block> {
        let waiting =
            |pending: &&mut PendingCall| pending.call.id == id && pending.result.is_none();
        if let Some(pending) = self.0.iter_mut().find(waiting) {
            pending.result = Some(result_block(id, result, max_bytes));
        }
        let ready = self.0.iter().take_while(|pending| pending.result.is_some()).count();
        self.0.drain(..ready).filter_map(|pending| pending.result).collect()
    }

    /// Removes the calls that a result in a trace belongs to. Returns whether there was one.
    pub(super) fn remove_answered(&mut self, block: &Block) -> bool {
        let tags: HashSet<&str> =
            block.result_tags().map(|Located { value: text, .. }| text.as_str()).collect();
        let before = self.0.len();
        self.0.retain(|pending| !tags.contains(pending.call.id.as_str()));
        self.0.len() < before
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Creates the structure with a result, as the model receives it.
fn result_block(id: &str, result: &Result<Json, String>, max_bytes: usize) -> Block {
    let object = match result {
        Ok(json) => Object::default().with("data", data::bounded_expr(json, max_bytes)),
        Err(error) => Object::default().with("error", data::truncate(error, max_bytes)),
    };
    Block::new(BlockKind::ToolResult, Expr::from(object).tag(id))
}
