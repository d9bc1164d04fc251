//! Messages of the model: their blocks become a reply.

use cot_model::{FinishReason, ModelReply, ToolCall, Usage};
use serde_json::{Value, json};

use crate::http::{AttemptError, MESSAGE_DATA, Pause, check_names, read_finish};

/// The reason of a message that the server paused while its own tools ran.
const PAUSED: &str = "pause_turn";

/// Puts a reply together from all blocks of a message. `end` has the reason for which the model stopped.
///
/// # Errors
///
/// Returns an error if the message is paused, or did not end well, or calls a tool without its name.
pub(super) fn into_reply(
    blocks: Vec<Value>,
    end: &Value,
    usage: Option<Usage>,
) -> Result<ModelReply, AttemptError> {
    let text = text(&blocks);
    let calls = calls(&blocks);
    let mut reason = end["stop_reason"].as_str();
    if reason == Some(PAUSED) && !calls.is_empty() {
        // The calls have results before the reply is continued.
        reason = Some("tool_use");
    } else if reason == Some(PAUSED) && !blocks.is_empty() {
        return Err(AttemptError::paused(Pause { content: returned(&blocks), text }));
    }
    let finish = read_finish(reason, false)?;
    let reply = ModelReply::new(text).usage(usage.unwrap_or(Usage::uncounted_call()));
    match (&finish, end["stop_details"]["explanation"].as_str()) {
        (FinishReason::Refusal, Some(said)) if !said.is_empty() => {
            Ok(ModelReply { text: said.to_owned(), ..reply }.finish(finish))
        }
        (FinishReason::Refusal, _) => Ok(reply.finish(finish)),
        _ => {
            check_names(&calls)?;
            Ok(reply.finish(finish).tool_calls(with_thoughts(calls, &blocks)))
        }
    }
}

/// Returns the text of a message. Blocks of other kinds, such as what tools of the server found, are no part of it.
pub(super) fn text(blocks: &[Value]) -> String {
    let texts = blocks.iter().filter(|block| is(block, "text"));
    texts.filter_map(|block| block["text"].as_str()).collect()
}

fn is(block: &Value, kind: &str) -> bool {
    block["type"] == kind
}

fn calls(blocks: &[Value]) -> Vec<ToolCall> {
    let calls = blocks.iter().filter(|block| is(block, "tool_use"));
    calls.map(read_call).collect()
}

// The input of a streamed call is the text that the model wrote.
fn read_call(block: &Value) -> ToolCall {
    let arguments = match &block["input"] {
        Value::Null => "{}".to_owned(),
        Value::String(text) => text.clone(),
        input => input.to_string(),
    };
    let member = |name: &str| block[name].as_str().unwrap_or_default();
    ToolCall::new(member("name"), arguments).with_id(member("id"))
}

/// Adds what has to be sent back with the calls to the first of them: all blocks, with the places of the calls.
fn with_thoughts(mut calls: Vec<ToolCall>, blocks: &[Value]) -> Vec<ToolCall> {
    let is_plain = |block: &Value| is(block, "text") || is(block, "tool_use");
    if let Some(first) = calls.first_mut().filter(|_| !blocks.iter().all(is_plain)) {
        let place = |block: Value| match is(&block, "tool_use") {
            true => json!({ "type": "tool_use", "id": block["id"] }),
            false => block,
        };
        let said: Vec<Value> = returned(blocks).into_iter().map(place).collect();
        first.engine_data[MESSAGE_DATA] = said.into();
    }
    calls
}

/// Returns the blocks that the server takes back: it refuses blank texts.
fn returned(blocks: &[Value]) -> Vec<Value> {
    let is_blank = |block: &Value| {
        is(block, "text") && block["text"].as_str().unwrap_or_default().trim().is_empty()
    };
    blocks.iter().filter(|block| !is_blank(block)).cloned().collect()
}
