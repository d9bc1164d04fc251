//! The messages of a request to the chat completions API.

use std::borrow::Cow;

use cot_model::{Document, Image, ModelRequest, Role, ToolCall};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};

use crate::{
    http::{CALL_DATA, MESSAGE_DATA},
    request::{
        Block, BlockContent, BlockMessage, block_messages, file_name, media_url, result_text,
    },
};

/// A message of a request.
#[derive(Serialize)]
pub(super) struct SentMessage<'a> {
    role: Role,
    /// Null in a message that consists of calls.
    content: Option<SentContent<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<SentCall<'a>>,
    /// The members that the server sent with the calls.
    #[serde(flatten)]
    engine_data: Option<&'a Map<String, Value>>,
    /// The id of the call of which the message has the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<Cow<'a, str>>,
}

/// The content of a message. Many servers accept text alone only as a string.
#[derive(Serialize)]
#[serde(untagged)]
enum SentContent<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<SentPart<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SentPart<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheMark>,
    },
    ImageUrl {
        image_url: ImageUrl<'a>,
    },
    File {
        file: File<'a>,
    },
}

/// Anthropic's mark of a prefix to cache, which proxies pass on.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum CacheMark {
    Ephemeral,
}

#[derive(Serialize)]
struct ImageUrl<'a> {
    url: Cow<'a, str>,
}

#[derive(Serialize)]
struct File<'a> {
    filename: Cow<'a, str>,
    file_data: Cow<'a, str>,
}

/// A call in a message of the model.
struct SentCall<'a> {
    call: &'a ToolCall,
    id: Cow<'a, str>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

/// Returns the messages of a request, with the marks of a prompt cache if `breakpoints` is set.
pub(super) fn sent_messages(
    request: &ModelRequest,
    with_format: bool,
    breakpoints: bool,
) -> Vec<SentMessage<'_>> {
    let messages = block_messages(request, with_format, breakpoints).into_iter();
    messages.flat_map(to_sent).collect()
}

/// Converts a message. That with the results of several calls becomes several messages.
fn to_sent(message: BlockMessage<'_>) -> Vec<SentMessage<'_>> {
    let BlockMessage { role, blocks } = message;
    let mut sent = Vec::new();
    let (mut content, mut calls) = (Vec::new(), Vec::new());
    for block in blocks {
        match block.content {
            BlockContent::ToolCall { call, id } => calls.push(SentCall { call, id }),
            BlockContent::ToolResult { id, result, .. } => {
                let content = SentContent::text(result_text(result), block.is_breakpoint);
                sent.push(SentMessage {
                    tool_call_id: Some(id),
                    ..SentMessage::new(role, content)
                });
            }
            _ => content.push(block),
        }
    }
    if !(content.is_empty() && calls.is_empty()) {
        let content = (!content.is_empty()).then(|| SentContent::new(content));
        let mut message = SentMessage { content, ..SentMessage::empty(role) };
        message.engine_data = calls.first().and_then(SentCall::message_data);
        message.tool_calls = calls;
        sent.push(message);
    }
    sent
}

impl<'a> SentMessage<'a> {
    fn empty(role: Role) -> Self {
        Self { role, content: None, tool_calls: Vec::new(), engine_data: None, tool_call_id: None }
    }

    fn new(role: Role, content: SentContent<'a>) -> Self {
        Self { content: Some(content), ..Self::empty(role) }
    }
}

impl<'a> SentContent<'a> {
    fn new(mut blocks: Vec<Block<'a>>) -> Self {
        match blocks.pop() {
            Some(Block { content: BlockContent::Text(text), is_breakpoint, .. })
                if blocks.is_empty() =>
            {
                Self::text(text, is_breakpoint)
            }
            last => Self::Parts(blocks.into_iter().chain(last).map(SentPart::new).collect()),
        }
    }

    fn text(text: Cow<'a, str>, is_breakpoint: bool) -> Self {
        if is_breakpoint { Self::Parts(vec![SentPart::text(text, true)]) } else { Self::Text(text) }
    }
}

impl<'a> SentPart<'a> {
    fn new(block: Block<'a>) -> Self {
        match block.content {
            BlockContent::Text(text) => Self::text(text, block.is_breakpoint),
            BlockContent::Image(image) => Self::ImageUrl { image_url: ImageUrl::new(image) },
            BlockContent::Document(document) => Self::File { file: File::new(document) },
            // Messages have calls and results elsewhere.
            BlockContent::ToolCall { call, .. } => Self::text(Cow::Owned(call.to_json()), false),
            BlockContent::ToolResult { result, .. } => Self::text(result_text(result), false),
        }
    }
}

impl<'a> SentPart<'a> {
    fn text(text: Cow<'a, str>, is_breakpoint: bool) -> Self {
        Self::Text { text, cache_control: is_breakpoint.then_some(CacheMark::Ephemeral) }
    }
}

impl<'a> ImageUrl<'a> {
    fn new(image: &'a Image) -> Self {
        Self { url: media_url(image.media_type(), image.source()) }
    }
}

impl<'a> File<'a> {
    fn new(document: &'a Document) -> Self {
        let file_data = media_url(document.media_type(), document.source());
        Self { filename: file_name(document), file_data }
    }
}

impl<'a> SentCall<'a> {
    /// Returns the members that the server sent with the message of the call.
    fn message_data(&self) -> Option<&'a Map<String, Value>> {
        self.call.engine_data[MESSAGE_DATA].as_object()
    }
}

impl Serialize for SentCall<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ToolCall { name, engine_data, .. } = self.call;
        let arguments = &*self.call.object_arguments();
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("id", &self.id)?;
        members.serialize_entry("type", "function")?;
        members.serialize_entry("function", &CalledFunction { name, arguments })?;
        for (name, value) in engine_data[CALL_DATA].as_object().into_iter().flatten() {
            members.serialize_entry(name, value)?;
        }
        members.end()
    }
}
