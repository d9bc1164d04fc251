//! The model behind Anthropic's Messages API.

use std::{fmt, sync::Arc};

use cot_model::{
    AcceptedMedia, BoxFuture, DeltaSink, LanguageModel, ModelError, ModelInfo, ModelReply,
    ModelRequest,
};
use cot_schema::Dialect;

use super::protocol::Messages;
use crate::http::{client::Client, language_model};

/// A model behind Anthropic's Messages API: Claude, and models of other servers that speak the protocol.
///
/// [Failures that may pass](cot_model::ModelError::is_retryable), such as an overloaded server, are retried with
/// exponential backoff, and not before the time for which the server asks. A wrong key, an empty account and a reply
/// that is not completed in time are not. A stream that ends before the reply does is a transient failure, and the
/// reply starts over. Clones share connections and the detected capabilities of the server.
///
/// A reply that the server pauses (`pause_turn`) is continued, up to ten times. What tools of the server do in a reply,
/// such as a search, is no part of its text. The thoughts of a stream are passed on as
/// [`Delta::Thought`](cot_model::Delta::Thought).
///
/// # Requests
///
/// | part of a request | how it is sent |
/// |---|---|
/// | text | text blocks, with [`cache_control`](super::AnthropicBuilder::cache_breakpoints) where a stable part ends; the system message as `system` |
/// | image | `image`, with the address or the bytes |
/// | document | `document`: a PDF file with the address or the bytes, other documents as text; an address of another document is an error |
/// | format | `output_config.format` with the schema in [`Dialect::Anthropic`] |
/// | tools | `tools`, with the schemas of their arguments as they are |
/// | rounds | blocks `tool_use`, and `tool_result` for each result |
/// | settings | `max_tokens`, `temperature`, `top_p`, `stop_sequences`; `seed` is not in the protocol and is not sent |
/// | `effort` | `thinking` and `output_config.effort`. The temperature is not sent with it, since the server refuses both |
/// | `extra` | as members of the body, in place of others of the same name, and in `output_config` beside them; `model`, `messages`, `stream`, `system`, and `tools` in a request with tools are errors. `tool_choice` is only sent with tools |
///
/// The protocol requires a limit of tokens: that of the settings, or the [`max_tokens`](super::AnthropicBuilder::max_tokens)
/// of the client. If a model knows no effort, the thoughts get a share of the limit: a quarter of it at
/// [`Effort::Low`](cot_model::Effort::Low), three quarters at [`Effort::High`](cot_model::Effort::High).
///
/// The thoughts before a call of a tool are sent back with it, with their signatures, to the same model at the same
/// address and to no other.
///
/// If a server answers that it does not support a setting, tools or the format, and names it, the request is repeated
/// without; if that succeeds, all later requests omit it.
///
/// ```no_run
/// # // The facade has it only with its own feature, which tests of this crate do not turn on.
/// # #[cfg(any())]
/// use cot_core::model::{Anthropic, LanguageModel, ModelRequest};
/// # use cot_model::{LanguageModel, ModelRequest};
/// # use cot_providers::Anthropic;
///
/// # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Anthropic::builder("claude-sonnet-4-5").key(std::env::var("ANTHROPIC_API_KEY")?).build()?;
/// let reply = model.reply(&ModelRequest::new("What is the capital of France?")).await?;
/// assert!(reply.text.contains("Paris"));
/// # Ok(())
/// # }
/// # let _ = ask;
/// ```
#[derive(Clone)]
pub struct Anthropic {
    pub(super) client: Arc<Client<Messages>>,
}

language_model!(Anthropic);
