//! The model that is asked in the protocol of its provider.

use std::{fmt, sync::Arc};

use cot_model::{BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest};
use cot_schema::Dialect;

use super::client::Client;

/// A model of Anthropic, Google, OpenAI, Ollama or one of many others, asked in the provider's own
/// protocol through the crate [`genai`](https://docs.rs/genai).
///
/// The name of the model tells the provider: by its beginning (`claude-…`, `gemini-…`, `gpt-…`), or by
/// a namespace before it (`groq::…`, `open_router::…`, `anthropic::…`). A name that tells nothing is one
/// of Ollama's. An effort at the end of a name (`-low`, `-high`, `-zero`) is no part of it: it says how
/// much the model is to think.
///
/// Calls that fail in a way that may pass (connection, time-out, status 408, 429 and 5xx, a stream that
/// breaks off) are made again, with growing pauses and no sooner than the server asks. A clone shares
/// connections and what was learned about the server.
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
/// | provider | what holds the model to the schema of a reply | [dialect](LanguageModel::dialect) |
/// |---|---|---|
/// | OpenAI and those who imitate it | `response_format`, always `strict`; responses: `text.format` | [`OpenAiStrict`](Dialect::OpenAiStrict) |
/// | Anthropic | `output_config.format`, and no tool | [`Anthropic`](Dialect::Anthropic) |
/// | Gemini | `responseJsonSchema` | [`Gemini`](Dialect::Gemini) |
/// | Ollama | `response_format` of its chat completions: `genai` sends no schema in Ollama's own protocol | [`LlamaCpp`](Dialect::LlamaCpp) |
/// | Cohere, Bedrock, Ollama's cloud | nothing: JSON is asked for, and the prompt explains which | [`Plain`](Dialect::Plain) |
///
/// Anthropic demands a limit of tokens: a request without one gets the highest that `genai` knows for
/// the model. On the way to OpenAI and Anthropic `genai` closes every object, and for OpenAI it demands every
/// property. What is in the dialect already comes through as it is.
///
/// # What can't be had
///
/// - `genai` reads a whole answer, the body of a failure, and one event of a stream without a limit of
///   size; the [time-out](super::GenAiBuilder::timeout) is what ends them. A reply that is too long is refused
///   once it is there, a streamed one as soon as it is.
/// - An event of many megabytes costs time that grows with the square of its size.
/// - A server that answers a request for a stream in another way (a page, a reply in one piece) is told
///   from one that breaks off by nothing, so the call fails as if it had, and is made again.
/// - `genai` writes what servers say to `tracing`, in parts as errors and as a whole at the level of
///   traces. It never writes keys.
/// - With `genai` the HTTP client of `OpenAiCompatible` speaks HTTP/2 and
///   unpacks gzip too, as cargo knows only one set of features.
#[derive(Clone)]
pub struct GenAi {
    pub(super) client: Arc<Client>,
}

impl LanguageModel for GenAi {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(self.client.ask(request, None))
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(self.client.ask(request, Some(sink)))
    }

    fn dialect(&self) -> Dialect {
        self.client.dialect()
    }
}

impl fmt::Debug for GenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.client.fmt_as("GenAi", f)
    }
}
