//! The parts of messages, and the requests that a protocol can't express.

use cot_model::{
    AcceptedMedia, Document, Image, Media, MediaSource, ModelError, ModelErrorKind, ModelRequest,
};
use genai::{
    ModelIden,
    adapter::AdapterKind,
    chat::{Binary, ContentPart},
};
use serde_json::json;

use super::{
    family::{Family, takes_extra},
    tools::{call_part, result_part},
};
use crate::request::{
    BlockContent, check_media, check_settings, file_name, in_base64, refuse_media,
};

/// The members of a body that `extra` can't replace, in any protocol. `generationConfig` holds the schema
/// and all settings of Gemini's protocol.
const RESERVED: [&str; 9] = [
    "contents",
    "generationConfig",
    "input",
    "instructions",
    "messages",
    "model",
    "stream",
    "system",
    "systemInstruction",
];

/// Checks that a request can be sent to a model that accepts these images and documents. `genai` leaves out
/// what it does not support.
pub(super) fn check(
    request: &ModelRequest,
    accepted: AcceptedMedia,
    model: &ModelIden,
    family: Family,
) -> Result<(), ModelError> {
    check_settings(&request.settings, &RESERVED)?;
    if !request.tools.is_empty() {
        check_settings(&request.settings, &["tools"])?;
    }
    if !request.settings.extra.is_empty() && !takes_extra(model) {
        let message = "`extra` can't be sent in the protocol of this provider";
        return Err(ModelError::new(ModelErrorKind::Other, message));
    }
    check_media(request, accepted)?;
    let kind = model.adapter_kind;
    match request.media().iter().find(|media| !can_carry(media, kind, family)) {
        Some(media) => {
            Err(refuse_media(media, "the protocol of this provider has no place for it"))
        }
        None => Ok(()),
    }
}

fn can_carry(media: &Media, kind: AdapterKind, family: Family) -> bool {
    let (is_image, source) = match media {
        Media::Image(image) => (true, image.source()),
        Media::Document(document) => (false, document.source()),
    };
    let has_bytes = matches!(source, MediaSource::Bytes(_));
    match family {
        Family::Chat | Family::Grammar => is_image || has_bytes,
        Family::Responses | Family::Anthropic | Family::Gemini => true,
        Family::Unconstrained => match kind {
            AdapterKind::OllamaCloud => is_image && has_bytes,
            AdapterKind::BedrockApi => has_bytes,
            _ => false,
        },
    }
}

/// Converts a part of a message.
pub(super) fn to_part(content: &BlockContent<'_>, family: Family) -> ContentPart {
    match content {
        BlockContent::Text(text) => ContentPart::Text(text.clone().into_owned()),
        BlockContent::Image(image) => image_part(image, family),
        BlockContent::Document(document) => document_part(document, family),
        BlockContent::ToolCall { call, id } => call_part(call, id, family),
        BlockContent::ToolResult { call, id, result } => result_part(call, id, result, family),
    }
}

// `genai` leaves out addresses of images for Anthropic, whose protocol has a block for them.
fn image_part(image: &Image, family: Family) -> ContentPart {
    match image.source() {
        MediaSource::Url(url) if family == Family::Anthropic => {
            let source = json!({ "type": "url", "url": url });
            ContentPart::from_custom(json!({ "type": "image", "source": source }), None)
        }
        source => ContentPart::Binary(binary(image.media_type(), source, None)),
    }
}

// `genai` sends every document to Anthropic like a PDF file, but its protocol takes text as text.
fn document_part(document: &Document, family: Family) -> ContentPart {
    match document.text().filter(|_| family == Family::Anthropic) {
        Some(text) => {
            let source = json!({ "type": "text", "media_type": "text/plain", "data": text });
            let title = file_name(document);
            let block = json!({ "type": "document", "source": source, "title": title });
            ContentPart::from_custom(block, None)
        }
        None => {
            let name = Some(file_name(document).into_owned());
            ContentPart::Binary(binary(document.media_type(), document.source(), name))
        }
    }
}

fn binary(media_type: &str, source: MediaSource<'_>, name: Option<String>) -> Binary {
    match source {
        MediaSource::Url(url) => Binary::from_url(media_type, url, name),
        MediaSource::Bytes(bytes) => Binary::from_base64(media_type, in_base64(bytes), name),
    }
}
