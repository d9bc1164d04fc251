//! Preparation of a request for the server.

use std::borrow::Cow;

use cot_model::{AcceptedMedia, Media, MediaSource, ModelError, ModelRequest, ReplySchema};
use cot_schema::Dialect;
use serde_json::Value;

use super::tools::SentTool;
use crate::{
    http::{ResponseFormat, in_dialect},
    request::{check_media, check_settings, refuse_media},
};

/// The members of a body that `extra` can't replace.
const RESERVED: [&str; 3] = ["messages", "model", "stream"];

/// Checks that a request can be sent to a server that accepts these images and documents.
pub(super) fn check(request: &ModelRequest, accepted: AcceptedMedia) -> Result<(), ModelError> {
    check_settings(&request.settings, &RESERVED)?;
    if !request.tools.is_empty() {
        check_settings(&request.settings, &["tools"])?;
    }
    check_media(request, accepted)?;
    let reason = "the protocol takes bytes of documents, not addresses";
    match request.media().iter().find(|media| is_document_address(media)) {
        Some(media) => Err(refuse_media(media, reason)),
        None => Ok(()),
    }
}

fn is_document_address(media: &Media) -> bool {
    match media {
        Media::Document(document) => matches!(document.source(), MediaSource::Url(_)),
        Media::Image(_) => false,
    }
}

/// A request with its schemas in the server's dialect.
pub(super) struct PreparedRequest<'a> {
    pub(super) request: &'a ModelRequest,
    pub(super) schema: Option<SentSchema<'a>>,
    pub(super) tools: Vec<SentTool<'a>>,
}

/// The schema of a reply in the server's dialect.
pub(super) struct SentSchema<'a> {
    pub(super) name: &'a str,
    pub(super) json: Cow<'a, Value>,
    pub(super) strict: bool,
}

impl<'a> PreparedRequest<'a> {
    /// Rewrites the schemas that are sent once for all attempts.
    pub(super) fn new(
        request: &'a ModelRequest,
        format: ResponseFormat,
        dialect: Option<Dialect>,
    ) -> Result<Self, ModelError> {
        let dialect = dialect.unwrap_or_default();
        let schema = request.schema.as_deref().filter(|_| format == ResponseFormat::JsonSchema);
        let to_sent = |schema: &'a ReplySchema| {
            let json = in_dialect(&schema.json, dialect)?;
            Ok(SentSchema { name: &schema.name, json, strict: dialect == Dialect::OpenAiStrict })
        };
        let schema = schema.map(to_sent).transpose()?;
        let tools = request.tools.iter().map(|tool| SentTool::new(tool, dialect));
        let tools = tools.collect::<Result<_, _>>()?;
        Ok(Self { request, schema, tools })
    }
}
