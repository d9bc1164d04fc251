//! The protocols that providers speak, as far as it has to be known here.

use cot_schema::Dialect;
use genai::{ModelIden, adapter::AdapterKind};

/// Which protocol a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// OpenAI's chat completions, which most providers imitate.
    Chat,
    /// Chat completions of a server that enforces any schema with a grammar.
    Grammar,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's content, and its interactions.
    Gemini,
    /// Protocols in which `genai` sends no schema.
    Unconstrained,
}

impl Family {
    pub(super) fn of(model: &ModelIden) -> Self {
        let is_claude = || model.model_name.as_str().contains("claude");
        match model.adapter_kind {
            AdapterKind::Ollama => Self::Grammar,
            AdapterKind::OpenAIResp => Self::Responses,
            AdapterKind::Anthropic | AdapterKind::MiniMax => Self::Anthropic,
            AdapterKind::Vertex if is_claude() => Self::Anthropic,
            AdapterKind::Gemini | AdapterKind::GeminiIx | AdapterKind::Vertex => Self::Gemini,
            AdapterKind::OllamaCloud | AdapterKind::Cohere | AdapterKind::BedrockApi => {
                Self::Unconstrained
            }
            _ => Self::Chat,
        }
    }

    pub(super) const fn dialect(self) -> Dialect {
        match self {
            // Every schema that `genai` sends to one of these is made strict, whoever answers.
            Self::Chat | Self::Responses => Dialect::OpenAiStrict,
            Self::Grammar => Dialect::LlamaCpp,
            Self::Anthropic => Dialect::Anthropic,
            Self::Gemini => Dialect::Gemini,
            Self::Unconstrained => Dialect::Plain,
        }
    }

    /// Whether the server can be held to a schema.
    pub(super) const fn takes_schema(self) -> bool {
        !matches!(self, Self::Unconstrained)
    }

    /// Whether replies are chat completions.
    pub(super) const fn is_chat(self) -> bool {
        matches!(self, Self::Chat | Self::Grammar)
    }
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
            assert_eq!(Family::of(&ModelIden::new(adapter, name)).dialect(), dialect, "{name}");
        }
    }
}
