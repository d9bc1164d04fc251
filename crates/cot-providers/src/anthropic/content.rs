//! The messages of a request to the Messages API, in blocks.

use cot_model::{Document, Image, MediaSource, ModelRequest, Role, ToolCall, ToolRound};
use serde_json::{Value, json};

use crate::{
    http::MESSAGE_DATA,
    request::{Block, BlockContent, BlockMessage, block_messages, file_name, in_base64, plain_id},
};

/// Returns the blocks of the system message, and the other messages.
pub(super) fn sent_messages(
    request: &ModelRequest,
    explained: bool,
    breakpoints: bool,
) -> (Vec<Value>, Vec<Value>) {
    let (mut system, mut messages) = (Vec::new(), Vec::new());
    for BlockMessage { role, blocks } in block_messages(request, explained, breakpoints) {
        let role = match role {
            Role::System => {
                system.extend(blocks.iter().map(sent_block));
                continue;
            }
            Role::Assistant => "assistant",
            Role::User | Role::Tool => "user",
        };
        messages.push(json!({ "role": role, "content": sent_blocks(&blocks) }));
    }
    (system, messages)
}

/// Returns whether the model thought in a round, so that its thoughts are sent back.
pub(super) fn has_thoughts(round: &ToolRound) -> bool {
    let is_thought =
        |block: &Value| matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"));
    let first = round.iter().next();
    first.and_then(|(call, _)| said_blocks(call)).is_some_and(|said| said.iter().any(is_thought))
}

/// Returns the blocks that the server sent with a call, if they have to be sent back.
fn said_blocks(call: &ToolCall) -> Option<&Vec<Value>> {
    call.engine_data[MESSAGE_DATA].as_array()
}

/// Converts the blocks of a message. What the server said with calls is sent back as it was, in its order, with the
/// calls in their places.
fn sent_blocks(blocks: &[Block<'_>]) -> Vec<Value> {
    let calls = blocks.iter().filter_map(|block| match &block.content {
        BlockContent::ToolCall { call, .. } => Some((*call, sent_block(block))),
        _ => None,
    });
    let mut calls: Vec<_> = calls.collect();
    let Some(said) = calls.first().and_then(|(call, _)| said_blocks(call)) else {
        return blocks.iter().map(sent_block).collect();
    };
    let mut sent = Vec::with_capacity(said.len());
    for block in said {
        if block["type"] != "tool_use" {
            sent.push(block.clone());
        } else if let Some(at) = calls.iter().position(|(call, _)| block["id"] == *call.id) {
            sent.push(calls.remove(at).1);
        }
    }
    sent.extend(calls.into_iter().map(|(_, call)| call));
    sent
}

fn sent_block(block: &Block<'_>) -> Value {
    let mut sent = match &block.content {
        BlockContent::Text(text) => json!({ "type": "text", "text": text }),
        BlockContent::Image(image) => image_block(image),
        BlockContent::Document(document) => document_block(document),
        BlockContent::ToolCall { call, id } => {
            let input: Value = serde_json::from_str(&call.object_arguments()).unwrap_or_default();
            json!({ "type": "tool_use", "id": plain_id(id), "name": call.name, "input": input })
        }
        BlockContent::ToolResult { id, result, .. } => {
            let mut sent = json!({ "type": "tool_result", "tool_use_id": plain_id(id), "content": result.text });
            if result.is_error {
                sent["is_error"] = true.into();
            }
            sent
        }
    };
    if block.is_breakpoint {
        sent["cache_control"] = json!({ "type": "ephemeral" });
    }
    sent
}

fn image_block(image: &Image) -> Value {
    json!({ "type": "image", "source": source(image.media_type(), image.source()) })
}

fn document_block(document: &Document) -> Value {
    let source = match document.text() {
        Some(text) => json!({ "type": "text", "media_type": "text/plain", "data": text }),
        None => source(document.media_type(), document.source()),
    };
    json!({ "type": "document", "source": source, "title": file_name(document) })
}

fn source(media_type: &str, source: MediaSource<'_>) -> Value {
    match source {
        MediaSource::Url(url) => json!({ "type": "url", "url": url }),
        MediaSource::Bytes(bytes) => {
            json!({ "type": "base64", "media_type": media_type, "data": in_base64(bytes) })
        }
    }
}
