//! The model that is called in the protocol of its provider.

use std::{fmt, sync::Arc};

use cot_model::{
    AcceptedMedia, BoxFuture, DeltaSink, LanguageModel, ModelError, ModelInfo, ModelReply,
    ModelRequest,
};
use cot_schema::Dialect;

use super::client::Client;
use crate::http::language_model;

/// A model of Anthropic, Google, OpenAI, Ollama or one of many other providers, called in the
/// provider's own protocol through the crate [`genai`](https://docs.rs/genai).
///
/// The name of the model selects the provider: by its prefix (`claude-…`, `gemini-…`, `gpt-…`), or by a
/// namespace (`groq::…`, `open_router::…`, `anthropic::…`). Other names belong to Ollama. A suffix
/// `-low`, `-high` or `-zero` is not part of the name; it sets the reasoning effort.
///
/// [Failures that may pass](cot_model::ModelError::is_retryable) are retried with exponential backoff, and not
/// before the time for which the server asks. A wrong key, an empty account and a reply that is not completed in
/// time are not. Clones share connections and the detected capabilities of the server.
///
/// ```no_run
/// # // The facade has it only with its own feature, which tests of this crate do not turn on.
/// # #[cfg(any())]
/// use cot_core::model::{GenAi, LanguageModel, ModelRequest};
/// # use cot_model::{LanguageModel, ModelRequest};
/// # use cot_providers::GenAi;
///
/// # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
/// // The key is in `ANTHROPIC_API_KEY`.
/// let model = GenAi::new("claude-haiku-4-5")?;
/// let reply = model.reply(&ModelRequest::new("What is the capital of France?")).await?;
/// assert!(reply.text.contains("Paris"));
///
/// let model = GenAi::builder("gemini-2.5-flash").key("…").max_retries(5).build()?;
/// let own = GenAi::builder("anthropic::tiny").base_url("http://127.0.0.1:8080/v1/").build()?;
/// # let _ = (model, own);
/// # Ok(())
/// # }
/// # let _ = ask;
/// ```
///
/// # Schemas
///
/// | provider | how replies are constrained to the schema | [dialect](LanguageModel::dialect) |
/// |---|---|---|
/// | OpenAI and compatible servers | `response_format`, always `strict`; responses API: `text.format` | [`OpenAiStrict`](Dialect::OpenAiStrict) |
/// | Anthropic | `output_config.format`, without a tool | [`Anthropic`](Dialect::Anthropic) |
/// | Gemini | `responseJsonSchema` | [`Gemini`](Dialect::Gemini) |
/// | Ollama | `response_format` of its chat completions: `genai` sends no schema in Ollama's own protocol | [`LlamaCpp`](Dialect::LlamaCpp) |
/// | Cohere, Bedrock, Ollama's cloud | not constrained: JSON is requested, and the prompt explains the format | [`Plain`](Dialect::Plain) |
///
/// Anthropic requires a token limit: a request without one gets the highest limit that `genai` knows
/// for the model. `genai` closes every object for OpenAI and Anthropic and requires every property for
/// OpenAI. Schemas that are in the dialect already are sent unchanged.
///
/// # Requests
///
/// | part of a request | where it is sent |
/// |---|---|
/// | images | everywhere but to Cohere; Bedrock and Ollama's cloud take bytes, not addresses |
/// | documents | everywhere but to Cohere and Ollama's cloud; OpenAI's chat completions and Bedrock take bytes, not addresses |
/// | `temperature`, `top_p`, `max_tokens`, `stop` | everywhere |
/// | `seed` | OpenAI and compatible servers, Gemini, Ollama |
/// | `effort` | everywhere but to Cohere and Ollama's cloud; the name of the model must have no suffix for it |
/// | `extra` | everywhere but to Cohere, Bedrock, Ollama's cloud, OpenCode Go, and Claude on Vertex, where it is an error. `model` and the members that hold messages, and Gemini's `generationConfig`, are errors, too |
///
/// Settings that are out of range, images and documents that the protocol can't carry, and those that the
/// model [does not accept](super::GenAiBuilder::accepts) are errors before anything is sent. A seed or an
/// effort that the protocol lacks is not sent.
///
/// The thoughts of reasoning models are passed on in streams as
/// [`Delta::Thought`](cot_model::Delta::Thought) and are never part of the reply. Anthropic and Gemini send
/// them if the request sets `effort`.
///
/// # Tools
///
/// | provider | schemas of arguments |
/// |---|---|
/// | OpenAI | in the dialect [`OpenAiStrict`](Dialect::OpenAiStrict), with `strict`, if it can express them; otherwise as they are |
/// | Gemini | in the dialect [`Gemini`](Dialect::Gemini) if it can express them; otherwise as they are |
/// | Anthropic, Ollama, servers that are compatible with OpenAI | as they are |
/// | Cohere, Bedrock, Ollama's cloud | in the prompt: these models get no tools, and [`calls_tools`](LanguageModel::calls_tools) is false |
///
/// A server that answers that it does not support [tools](super::GenAiBuilder::tool_calls) gets them in the
/// prompt. Requests with tools have the response format for OpenAI, Anthropic and Gemini, unless the server
/// rejects both together; for other providers the prompt explains the format. Thoughts and signatures before a
/// call are sent back with it, as Anthropic and Gemini require.
///
/// # Limitations
///
/// - The time to read the arguments of a streamed call of Anthropic and of OpenAI's responses API is quadratic
///   in their size, which matters from a megabyte.
/// - `genai` reads a whole reply, the body of a failure, and one event of a stream without a size
///   limit; only the [time limits](super::GenAiBuilder::first_piece_timeout) end them. A reply that is too long is
///   rejected after it was read, a streamed one as soon as it exceeds the limit.
/// - The time to read an event is quadratic in its size, which matters from many megabytes.
/// - A server that replies to a stream request in another form (a page, a reply in one piece) can't be
///   distinguished from an interrupted stream, so the call fails and is retried.
/// - `genai` writes server responses to `tracing`, excerpts at the error level and full texts at the
///   trace level. It never writes keys.
/// - With `genai` enabled, the HTTP client of `OpenAiCompatible` also uses HTTP/2 and gzip, since cargo
///   unifies features.
#[derive(Clone)]
pub struct GenAi {
    pub(super) client: Arc<Client>,
}

language_model!(GenAi);
