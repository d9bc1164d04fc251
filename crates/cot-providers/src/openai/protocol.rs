//! The protocol of chat completions.

use cot_model::{Media, MediaSource, ModelError, ModelReply, ModelRequest, Usage};
use reqwest::header::{AUTHORIZATION, HeaderName};
use serde::Serialize;
use serde_json::Value;

use super::{reply, request::Members, stream::PartialCompletion};
use crate::{
    http::{
        AttemptError, chat_usage,
        client::{Outgoing, Protocol, WholeReply},
    },
    request::refuse_media,
};

/// The chat completions API.
pub(super) struct ChatCompletions;

impl Protocol for ChatCompletions {
    const REPLY: &'static str = "a chat completion";
    const PATH: &'static [&'static str] = &["chat", "completions"];
    const RESERVED: &'static [&'static str] = &["messages", "model", "stream"];
    const ABOUT_TOOLS: &'static [&'static str] = &["parallel_tool_calls", "tool_choice"];

    type Partial = PartialCompletion;

    /// A server that is not known counts as one of OpenAI's protocol.
    fn provider(host: &str) -> &'static str {
        match host {
            "api.deepseek.com" => "deepseek",
            "api.groq.com" => "groq",
            "api.mistral.ai" => "mistral_ai",
            "api.perplexity.ai" => "perplexity",
            "api.x.ai" => "x_ai",
            _ if host.ends_with(".openai.azure.com") => "azure.ai.openai",
            _ => "openai",
        }
    }

    fn key_header(key: &str) -> (HeaderName, String) {
        (AUTHORIZATION, format!("Bearer {key}"))
    }

    fn check(request: &ModelRequest) -> Result<(), ModelError> {
        let reason = "the protocol takes bytes of documents, not addresses";
        match request.media().iter().find(|media| is_document_address(media)) {
            Some(media) => Err(refuse_media(media, reason)),
            None => Ok(()),
        }
    }

    fn body<'a>(&'a self, outgoing: &Outgoing<'a>) -> impl Serialize + 'a {
        Members::new(outgoing)
    }

    fn usage(said: &Value) -> Option<Usage> {
        chat_usage(said)
    }

    fn read(reply: &WholeReply<'_>, _: &[Value]) -> Result<ModelReply, AttemptError> {
        reply::read(reply)
    }
}

fn is_document_address(media: &Media) -> bool {
    matches!(media, Media::Document(document) if matches!(document.source(), MediaSource::Url(_)))
}
