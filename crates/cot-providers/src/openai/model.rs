//! The model behind the chat completions API.

use std::{fmt, sync::Arc};

use cot_model::{
    AcceptedMedia, BoxFuture, DeltaSink, LanguageModel, ModelError, ModelInfo, ModelReply,
    ModelRequest,
};
use cot_schema::Dialect;

use super::protocol::ChatCompletions;
use crate::http::{client::Client, language_model};

/// A model behind the chat completions API of OpenAI, llama.cpp, vLLM, Ollama and many others.
///
/// [Failures that may pass](cot_model::ModelError::is_retryable) are retried with exponential backoff, and not
/// before the time for which the server asks. A wrong key, an empty account and a reply that is not completed in
/// time are not. If a server requires the token limit as
/// `max_completion_tokens`, this and all later requests use that name. Clones share connections and the
/// detected capabilities of the server.
///
/// [`stream`](LanguageModel::stream) requests server-sent events. An interrupted stream is a transient
/// failure, and the reply starts over. A server without streaming sends the reply in one piece. The thoughts
/// of reasoning models (`reasoning_content`, `reasoning`) are passed on as
/// [`Delta::Thought`](cot_model::Delta::Thought) and are no part of the reply, unless they are JSON and the server
/// sends nothing else.
///
/// # Requests
///
/// | part of a request | how it is sent |
/// |---|---|
/// | text | a string for each message; content parts beside images and documents, and with [`cache_breakpoints`](super::OpenAiBuilder::cache_breakpoints) |
/// | image | `image_url`, with the address or the bytes as a `data:` URL |
/// | document | `file`, with the bytes as a `data:` URL; a document with an address is an error |
/// | tools | `tools`, in the [dialect](super::OpenAiBuilder::dialect) of the server, and `strict` for [`Dialect::OpenAiStrict`] if it can express the schema |
/// | rounds | a message with `tool_calls`, and one with the role `tool` for each result |
/// | settings | `temperature`, `top_p`, `max_tokens` or `max_completion_tokens`, `stop`, `seed`, `reasoning_effort` |
/// | `extra` | as members of the body, in place of others of the same name; `model`, `messages`, `stream`, and `tools` in a request with tools are errors. `tool_choice` and `parallel_tool_calls` are only sent with tools |
///
/// Settings that are out of range, and images and documents that the model
/// [does not accept](super::OpenAiBuilder::accepts), are errors before anything is sent. If a server answers
/// that it does not support a setting, and names it, the request is repeated without this setting; if that
/// succeeds, all later requests omit it. The token limit is never omitted.
///
/// A server that answers that it does not support [tools](super::OpenAiBuilder::tool_calls) gets them in the
/// prompt. Requests with tools have the response format only where
/// [both work together](super::OpenAiBuilder::format_with_tools); elsewhere the prompt explains the format. A call
/// without an id gets one that depends on its place in the request alone. The thoughts before a call are sent
/// back with it, which some reasoning models require.
///
/// ```no_run
/// use cot_core::model::{LanguageModel, ModelRequest, OpenAiCompatible};
///
/// # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
/// let model = OpenAiCompatible::builder("https://api.openai.com/v1", "gpt-5-mini")
///     .key(std::env::var("OPENAI_API_KEY")?)
///     .build()?;
/// let reply = model.reply(&ModelRequest::new("What is the capital of France?")).await?;
/// assert!(reply.text.contains("Paris"));
/// # Ok(())
/// # }
/// # let _ = ask;
/// ```
#[derive(Clone)]
pub struct OpenAiCompatible {
    pub(super) client: Arc<Client<ChatCompletions>>,
}

language_model!(OpenAiCompatible);
