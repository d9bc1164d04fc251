//! The dialects of JSON schema that engines take.

/// The dialect of JSON schema that an engine takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI's structured outputs with `strict: true`.
    OpenAiStrict,
    /// Anthropic's output formats and strict tools.
    Anthropic,
    /// Gemini's `responseJsonSchema`.
    Gemini,
    /// The grammars of `llama.cpp` and Ollama.
    LlamaCpp,
    /// The guided decoding of vLLM: `xgrammar`, `llguidance`, `outlines`.
    Vllm,
    /// The schema as it is, for engines that only read it, or that take all of JSON schema.
    #[default]
    Plain,
}
