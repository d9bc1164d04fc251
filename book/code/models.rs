//! The constructors that the pages on models show, as functions that a test can point at a server of its own.

use cot_core::model::{
    Anthropic, ClientBuildError, Dialect, GenAi, GenAiBuildError, OpenAiCompatible,
};

/// A model of any server with the chat-completions API.
///
/// # Errors
///
/// Fails if the address or the key is invalid.
pub fn openai_compatible(
    base_url: &str,
    name: &str,
    key: Option<&str>,
) -> Result<OpenAiCompatible, ClientBuildError> {
    // ANCHOR: openai
    let mut model = OpenAiCompatible::builder(base_url, name);
    if let Some(key) = key {
        model = model.key(key);
    }
    model.build()
    // ANCHOR_END: openai
}

/// The model of llama.cpp's server.
///
/// # Errors
///
/// Fails if the address is invalid.
pub fn llama_cpp(base_url: &str) -> Result<OpenAiCompatible, ClientBuildError> {
    // ANCHOR: llama_cpp
    // The server has one model, whatever its name.
    OpenAiCompatible::builder(base_url, "default").dialect(Dialect::LlamaCpp).build()
    // ANCHOR_END: llama_cpp
}

/// A model of Ollama.
///
/// # Errors
///
/// Fails if the address is invalid.
pub fn ollama(base_url: &str, name: &str) -> Result<OpenAiCompatible, ClientBuildError> {
    // ANCHOR: ollama
    OpenAiCompatible::builder(base_url, name).dialect(Dialect::LlamaCpp).build()
    // ANCHOR_END: ollama
}

/// A model of Anthropic, or of another server with its Messages API.
///
/// # Errors
///
/// Fails if the address or the key is invalid.
pub fn anthropic(
    name: &str,
    key: &str,
    base_url: Option<&str>,
) -> Result<Anthropic, ClientBuildError> {
    // ANCHOR: anthropic
    let mut model = Anthropic::builder(name).key(key);
    if let Some(base_url) = base_url {
        model = model.base_url(base_url);
    }
    model.build()
    // ANCHOR_END: anthropic
}

/// A model of Gemini. Without a key and an address, the key is that in `GEMINI_API_KEY`.
///
/// # Errors
///
/// Fails without a key, or if the address is invalid.
pub fn gemini(name: &str, server: Option<(&str, &str)>) -> Result<GenAi, GenAiBuildError> {
    // ANCHOR: gemini
    let mut model = GenAi::builder(name);
    if let Some((key, base_url)) = server {
        model = model.key(key).base_url(base_url);
    }
    model.build()
    // ANCHOR_END: gemini
}
