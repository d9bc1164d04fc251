//! Reading of streamed messages.

use std::collections::BTreeMap;

use cot_model::{DeltaSink, ModelReply, Usage};
use serde_json::{Map, Value};

use super::{
    reply::{into_reply, text},
    usage::read_usage,
};
use crate::http::{
    AttemptError,
    client::{PartialReply, UnexpectedError},
};

/// The member of a block with the input of a tool as far as it was received.
const INPUT: &str = "partial_json";

/// A message as far as it was received.
#[derive(Default)]
pub(super) struct PartialMessage {
    blocks: Vec<Value>,
    /// The positions of the blocks by their index in the stream.
    positions: BTreeMap<u64, usize>,
    /// Why the model stopped.
    end: Value,
    counts: Map<String, Value>,
    /// Whether the counts are those of the whole message.
    is_counted: bool,
    is_done: bool,
    len: usize,
}

impl PartialReply for PartialMessage {
    fn begin(content: &[Value]) -> Self {
        Self { blocks: content.to_vec(), ..Self::default() }
    }

    // The first event has the input, and the last one the output, and again the input if it has changed.
    fn count(&mut self, said: &Value) {
        let places = [&said["message"]["usage"], &said["usage"]];
        let counts = places.into_iter().filter_map(Value::as_object).flatten();
        let known = counts.filter(|(_, count)| !count.is_null());
        self.counts.extend(known.map(|(name, count)| (name.clone(), count.clone())));
        self.is_counted |= said["usage"].is_object();
    }

    fn usage(&self) -> Option<Usage> {
        let usage = read_usage(&Value::Object(self.counts.clone()))?;
        let uncounted_calls = u64::from(!self.is_counted);
        Some(Usage { uncounted_calls, ..usage })
    }

    fn take(&mut self, said: &Value, sink: &DeltaSink) -> Result<(), UnexpectedError> {
        match said["type"].as_str().ok_or(UnexpectedError)? {
            "content_block_start" => self.start(said, sink)?,
            "content_block_delta" => self.extend(said, sink)?,
            "message_delta" if said["delta"]["stop_reason"].is_string() => {
                self.end = said["delta"].clone();
            }
            "message_stop" => self.is_done = true,
            _ => {}
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn has_finished(&self) -> bool {
        !self.end.is_null()
    }

    fn received_len(&self) -> usize {
        self.len
    }

    fn into_reply(mut self, _: bool, sink: &DeltaSink) -> Result<ModelReply, AttemptError> {
        let usage = self.usage();
        self.blocks.iter_mut().for_each(complete_input);
        let said = text(&self.blocks);
        let reply = into_reply(self.blocks, &self.end, usage)?;
        // The explanation of a refusal replaces what was said before.
        if reply.text != said {
            sink.restart();
            sink.push(&reply.text);
        }
        Ok(reply)
    }
}

impl PartialMessage {
    fn start(&mut self, said: &Value, sink: &DeltaSink) -> Result<(), UnexpectedError> {
        let block = &said["content_block"];
        let kind = block["type"].as_str().ok_or(UnexpectedError)?;
        let index = said["index"].as_u64().ok_or(UnexpectedError)?;
        self.positions.insert(index, self.blocks.len());
        self.len += block.to_string().len();
        pass_on(kind, block, sink);
        self.blocks.push(block.clone());
        Ok(())
    }

    fn extend(&mut self, said: &Value, sink: &DeltaSink) -> Result<(), UnexpectedError> {
        let position = said["index"].as_u64().and_then(|index| self.positions.get(&index));
        let block = position.and_then(|at| self.blocks.get_mut(*at)).and_then(Value::as_object_mut);
        let (block, delta) = block.zip(said["delta"].as_object()).ok_or(UnexpectedError)?;
        for (name, piece) in delta.iter().filter(|(name, _)| *name != "type") {
            self.len += extend_member(block, name, piece)?;
        }
        pass_on(block["type"].as_str().unwrap_or_default(), &said["delta"], sink);
        Ok(())
    }
}

/// Passes the text or the thoughts in a block, or in a piece of one, to the sink.
fn pass_on(kind: &str, members: &Value, sink: &DeltaSink) {
    let member = |name: &str| members[name].as_str().unwrap_or_default();
    match kind {
        "text" => sink.push(member("text")),
        "thinking" => sink.push_thought(member("thinking")),
        _ => {}
    }
}

/// Adds a piece to a member of a block, and returns its size. Texts are appended, citations are listed.
fn extend_member(
    block: &mut Map<String, Value>,
    name: &str,
    piece: &Value,
) -> Result<usize, UnexpectedError> {
    match (name, piece) {
        ("citation", _) => match block.get_mut("citations") {
            Some(Value::Array(citations)) => citations.push(piece.clone()),
            _ => drop(block.insert("citations".to_owned(), vec![piece.clone()].into())),
        },
        (_, Value::String(piece)) => match block.get_mut(name) {
            Some(Value::String(text)) => text.push_str(piece),
            _ => drop(block.insert(name.to_owned(), piece.clone().into())),
        },
        ("text" | INPUT, _) => return Err(UnexpectedError),
        _ => drop(block.insert(name.to_owned(), piece.clone())),
    }
    Ok(piece.as_str().map_or_else(|| piece.to_string().len(), str::len))
}

/// Puts the received input of a tool in its place. That of a call is checked by its receiver, and stays a text.
fn complete_input(block: &mut Value) {
    let Some(members) = block.as_object_mut() else { return };
    let Some(Value::String(input)) = members.shift_remove(INPUT) else { return };
    if input.trim().is_empty() {
        return;
    }
    let is_call = members.get("type").is_some_and(|kind| kind == "tool_use");
    let input =
        if is_call { input.into() } else { serde_json::from_str(&input).unwrap_or_default() };
    members.insert("input".to_owned(), input);
}
