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
