//! The protocol of the Messages API.

use cot_model::{Media, MediaSource, ModelError, ModelReply, ModelRequest, Usage};
use cot_schema::Dialect;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::Value;

use super::{reply, request::body, stream::PartialMessage, usage::read_usage};
use crate::{
    http::{
        AttemptError,
        client::{ClientBuildError, Outgoing, Protocol, WholeReply},
    },
    request::refuse_media,
};

/// The limit of tokens of requests whose settings have none. Models of Anthropic since 2025 write at least twice as
/// many.
pub(super) const DEFAULT_MAX_TOKENS: u32 = 16_384;

/// The version of the protocol.
const VERSION: HeaderValue = HeaderValue::from_static("2023-06-01");

/// The Messages API.
pub(super) struct Messages {
    max_tokens: u32,
    headers: HeaderMap,
}

impl Messages {
    pub(super) fn new(max_tokens: u32, betas: &[String]) -> Result<Self, ClientBuildError> {
        let mut headers = HeaderMap::new();
        headers.insert("anthropic-version", VERSION);
        if !betas.is_empty() {
            let betas = HeaderValue::from_str(&betas.join(","));
            headers.insert("anthropic-beta", betas.map_err(|_| ClientBuildError::Beta)?);
        }
        Ok(Self { max_tokens, headers })
    }
}

impl Protocol for Messages {
    const REPLY: &'static str = "a message";
    const PATH: &'static [&'static str] = &["messages"];
    const RESERVED: &'static [&'static str] = &["messages", "model", "stream", "system"];
    const ABOUT_TOOLS: &'static [&'static str] = &["tool_choice"];
    const MERGED: &'static [&'static str] = &["output_config"];
    const HAS_NEWER_EFFORT: bool = true;

    type Partial = PartialMessage;

    fn provider(_: &str) -> &'static str {
        "anthropic"
    }

    fn key_header(key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-api-key"), key.to_owned())
    }

    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    // The server takes the schemas of tools as they are.
    fn sent_tool_dialect(_: Dialect) -> Dialect {
        Dialect::Plain
    }

    fn check(request: &ModelRequest) -> Result<(), ModelError> {
        let reason =
            "the protocol takes addresses of PDF files alone, and the text of other documents";
        match request.media().iter().find(|media| is_text_address(media)) {
            Some(media) => Err(refuse_media(media, reason)),
            None => Ok(()),
        }
    }

    fn body<'a>(&'a self, outgoing: &Outgoing<'a>) -> impl Serialize + 'a {
        body(outgoing, self.max_tokens)
    }

    fn usage(said: &Value) -> Option<Usage> {
        read_usage(&said["usage"])
    }

    fn read(reply: &WholeReply<'_>, content: &[Value]) -> Result<ModelReply, AttemptError> {
        let Some(blocks) = reply.said["content"].as_array() else {
            return Err(AttemptError::protocol(reply.unexpected("other JSON")));
        };
        let blocks = content.iter().chain(blocks).cloned().collect();
        reply::into_reply(blocks, &reply.said, Self::usage(&reply.said))
    }
}

fn is_text_address(media: &Media) -> bool {
    let Media::Document(document) = media else { return false };
    matches!(document.source(), MediaSource::Url(_)) && document.media_type() != "application/pdf"
}
