//! The protocol families of providers.

use cot_model::AcceptedMedia;
use cot_schema::Dialect;
use genai::{ModelIden, ServiceTarget, adapter::AdapterKind};
use reqwest::Url;

/// The protocol family of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// OpenAI's chat completions API and its many imitations.
    Chat,
    /// The chat completions API of a server that enforces any schema with a grammar.
    Grammar,
    /// OpenAI's responses API.
    Responses,
    /// Anthropic's messages API.
    Anthropic,
    /// Gemini's content and interactions APIs.
    Gemini,
    /// Protocols in which `genai` does not send schemas.
    Unconstrained,
}

impl Family {
    pub(super) fn for_model(model: &ModelIden) -> Self {
        match model.adapter_kind {
            AdapterKind::Ollama => Self::Grammar,
            AdapterKind::OpenAIResp => Self::Responses,
            AdapterKind::Anthropic | AdapterKind::MiniMax => Self::Anthropic,
            AdapterKind::Vertex if is_claude(model) => Self::Anthropic,
            AdapterKind::Gemini | AdapterKind::GeminiIx | AdapterKind::Vertex => Self::Gemini,
            AdapterKind::OllamaCloud | AdapterKind::Cohere | AdapterKind::BedrockApi => {
                Self::Unconstrained
            }
            _ => Self::Chat,
        }
    }

    pub(super) const fn dialect(self) -> Dialect {
        match self {
            // `genai` makes every schema strict for these adapters, whatever the server is.
            Self::Chat | Self::Responses => Dialect::OpenAiStrict,
            Self::Grammar => Dialect::LlamaCpp,
            Self::Anthropic => Dialect::Anthropic,
            Self::Gemini => Dialect::Gemini,
            Self::Unconstrained => Dialect::Plain,
        }
    }

    /// Returns whether the server can constrain replies to a schema.
    pub(super) const fn takes_schema(self) -> bool {
        !matches!(self, Self::Unconstrained)
    }

    /// Returns whether tools can be sent, and calls of them read.
    pub(super) const fn takes_tools(self) -> bool {
        !matches!(self, Self::Unconstrained)
    }

    /// Returns whether a request with tools has the response format too. Many servers that imitate OpenAI enforce
    /// the format with a grammar, which lets the model call no tools.
    pub(super) fn takes_format_with_tools(self, model: &ModelIden) -> bool {
        match self {
            Self::Chat => model.adapter_kind == AdapterKind::OpenAI,
            Self::Responses | Self::Anthropic | Self::Gemini => true,
            Self::Grammar | Self::Unconstrained => false,
        }
    }

    /// Returns the dialect of the arguments of tools.
    pub(super) fn tool_dialect(self, model: &ModelIden) -> Dialect {
        match self {
            Self::Chat if model.adapter_kind == AdapterKind::OpenAI => Dialect::OpenAiStrict,
            Self::Responses => Dialect::OpenAiStrict,
            Self::Gemini => Dialect::Gemini,
            Self::Chat | Self::Grammar | Self::Anthropic | Self::Unconstrained => Dialect::Plain,
        }
    }

    /// Returns whether replies are chat completions.
    pub(super) const fn is_chat(self) -> bool {
        matches!(self, Self::Chat | Self::Grammar)
    }

    /// Returns whether the server leaves the thoughts out of streams unless a request asks for them.
    pub(super) const fn shows_thoughts_if_asked(self) -> bool {
        matches!(self, Self::Anthropic | Self::Gemini)
    }
}

/// Returns whether `genai` adds members to the body of the provider's requests.
pub(super) fn takes_extra(model: &ModelIden) -> bool {
    match model.adapter_kind {
        AdapterKind::Vertex => !is_claude(model),
        // The protocol depends on the model.
        AdapterKind::OpenCodeGo => false,
        _ => Family::for_model(model) != Family::Unconstrained,
    }
}

/// Returns the images and documents that the models of a provider accept: all or none, where models
/// differ.
pub(super) fn default_media(target: &ServiceTarget) -> AcceptedMedia {
    let host = Url::parse(target.endpoint.base_url()).ok();
    let host = host.as_ref().and_then(Url::host_str);
    match target.model.adapter_kind {
        AdapterKind::Anthropic
        | AdapterKind::Gemini
        | AdapterKind::GeminiIx
        | AdapterKind::Vertex
        | AdapterKind::OpenAIResp => AcceptedMedia::ALL,
        AdapterKind::OpenAI if host == Some("api.openai.com") => AcceptedMedia::ALL,
        _ => AcceptedMedia::NONE,
    }
}

fn is_claude(model: &ModelIden) -> bool {
    model.model_name.as_str().contains("claude")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_protocol() {
        for (name, dialect) in [
            ("claude-sonnet-4-5", Dialect::Anthropic),
            ("vertex::claude-sonnet-4-5", Dialect::Anthropic),
            ("gemini-2.5-flash", Dialect::Gemini),
            ("vertex::gemini-2.5-flash", Dialect::Gemini),
            ("gpt-4o-mini", Dialect::OpenAiStrict),
            ("gpt-5-mini", Dialect::OpenAiStrict),
            ("groq::llama-3.1-8b-instant", Dialect::OpenAiStrict),
            ("llama3.2", Dialect::LlamaCpp),
            ("ollama::claude-like", Dialect::LlamaCpp),
            ("ollama_cloud::gpt-oss:20b", Dialect::Plain),
            ("cohere::command-r", Dialect::Plain),
        ] {
            let adapter = AdapterKind::from_model(name).unwrap();
            assert_eq!(
                Family::for_model(&ModelIden::new(adapter, name)).dialect(),
                dialect,
                "{name}"
            );
        }
    }
}
