//! Reads the result of a call.

use cot_engine::FunctionError;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

/// Maximum length of the text of a resource that is part of a result. A longer one is described.
const MAX_RESOURCE_BYTES: usize = 32 * 1024;

/// Returns the result of a call: the structured content, or else the text. What is no text is described.
pub(crate) fn read(response: CallToolResponse) -> Result<Value, FunctionError> {
    match response {
        CallToolResponse::Complete(result) => read_result(result),
        CallToolResponse::InputRequired(_) => {
            Err(FunctionError::unknown("the server asks for input, which a tool call can't give"))
        }
        _ => {
            Err(FunctionError::unknown("the server gave no result, but started a task of its own"))
        }
    }
}

fn read_result(result: CallToolResult) -> Result<Value, FunctionError> {
    let CallToolResult { content, structured_content, is_error, .. } = result;
    if is_error == Some(true) {
        let text = join(&content);
        let empty = "the tool failed and did not say why";
        // The call is over, and the model is to read why it failed.
        return Err(FunctionError::done(if text.is_empty() { empty } else { &text }));
    }
    Ok(structured_content.unwrap_or_else(|| Value::String(join(&content))))
}

fn join(content: &[ContentBlock]) -> String {
    let texts: Vec<String> = content.iter().map(describe).collect();
    texts.join("\n")
}

fn describe(content: &ContentBlock) -> String {
    match content {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => blob("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => blob("audio", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => resource(&embedded.resource),
        ContentBlock::ResourceLink(link) => {
            let about = link.description.as_deref().or(link.title.as_deref());
            let about = about.map(|about| format!(": {about}")).unwrap_or_default();
            format!("[resource {} at {}{about}]", link.name, link.uri)
        }
        _ => "[content of an unknown kind]".to_owned(),
    }
}

fn resource(resource: &ResourceContents) -> String {
    match resource {
        ResourceContents::TextResourceContents { text, .. } if text.len() <= MAX_RESOURCE_BYTES => {
            text.clone()
        }
        ResourceContents::TextResourceContents { uri, text, .. } => {
            format!("[resource {uri}: text of {} bytes]", text.len())
        }
        ResourceContents::BlobResourceContents { uri, mime_type, blob: data, .. } => {
            let kind = mime_type.as_deref().unwrap_or("unknown type");
            blob(&format!("resource {uri}"), kind, data)
        }
        _ => "[resource of an unknown kind]".to_owned(),
    }
}

/// Describes bytes that are encoded in base64.
fn blob(what: &str, kind: &str, data: &str) -> String {
    let padding = data.bytes().rev().take_while(|byte| *byte == b'=').count();
    let bytes = (data.len() / 4 * 3).saturating_sub(padding);
    format!("[{what}: {kind}, {bytes} bytes]")
}
