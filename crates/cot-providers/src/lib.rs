//! Clients of language models over HTTP.
//!
//! [`OpenAiCompatible`] uses the chat completions API of OpenAI, llama.cpp, vLLM, Ollama and many
//! others, and `Anthropic`, behind the feature `anthropic`, the vendor's Messages API. `GenAi`, behind the feature
//! `genai`, calls Gemini and many others in their own protocols. All of them constrain replies to the schema of a request if the server can, send images and
//! documents to models that accept them, retry transient failures, honour `Retry-After`, and redact keys
//! in errors.
//!
//! ```no_run
//! use cot_model::{LanguageModel, ModelRequest};
//! use cot_providers::OpenAiCompatible;
//!
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let model = OpenAiCompatible::builder("http://127.0.0.1:8080/v1", "tiny").build()?;
//! let reply = model.reply(&ModelRequest::new("What is the capital of France?")).await?;
//! assert!(reply.text.contains("Paris"));
//! # Ok(())
//! # }
//! # let _ = ask;
//! ```
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `openai`, the light client for chat completions, and `anthropic`, that for the Messages API, behind a feature:
// each is a builder and a `Protocol`, which `http/client` drives (attempts, fallbacks, credentials, limits, streams,
// paused replies); `genai`, the client for many providers, behind a feature; `tls`, the TLS that features choose,
// for MCP too; `request`, the checks and blocks of the requests of all, with the breakpoints of prompt caches and
// the ids of tool calls; `http`, what else they have in common: `failure` decides what the errors of servers mean,
// `finish` why models stop, `rejection` what a server does not support, each for all protocols; `calls` puts tool
// calls together from their pieces, `call_data` keeps what an engine issued with them from other engines;
// `time_limits` bounds each wait. `tests/corpus` has what real servers send, with the expected reading beside it.

#[cfg(feature = "anthropic")]
mod anthropic;
#[cfg(feature = "genai")]
mod genai;
#[cfg(any(feature = "anthropic", feature = "genai", feature = "openai"))]
mod http;
#[doc(hidden)]
pub mod internal;
#[cfg(feature = "openai")]
mod openai;
#[cfg(any(feature = "anthropic", feature = "genai", feature = "openai"))]
mod request;
mod request_error;
mod tls;

#[cfg(feature = "anthropic")]
pub use anthropic::{Anthropic, AnthropicBuilder};
#[cfg(feature = "genai")]
pub use genai::{GenAi, GenAiBuildError, GenAiBuilder};
#[cfg(any(feature = "anthropic", feature = "genai", feature = "openai"))]
pub use http::ResponseFormat;
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub use http::client::ClientBuildError;
#[cfg(feature = "openai")]
pub use openai::{OpenAiBuilder, OpenAiCompatible};
pub use request_error::request_error;
