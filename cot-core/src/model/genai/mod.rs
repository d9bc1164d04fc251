//! A client for many providers, each in its own protocol.

mod builder;
mod client;
mod family;
mod fault;
mod finish;
mod question;
mod raw;
mod stream;
mod target;
mod whole;

pub use builder::{GenAiBuildError, GenAiBuilder};

use std::{fmt, sync::Arc};

use self::client::Client;
use super::{BoxFuture, DeltaSink, Dialect, LanguageModel, ModelError, ModelReply, ModelRequest};

/// A model of Anthropic, Google, OpenAI, Ollama or one of many others, asked in the provider's own
/// protocol through the crate [`genai`](https://docs.rs/genai).
#[derive(Clone)]
pub struct GenAi {
    client: Arc<Client>,
}

impl GenAi {
    /// The model of this name, with the key in its provider's environment variable.
    ///
    /// # Errors
    ///
    /// As those of [`GenAiBuilder::build`].
    pub fn new(model: impl Into<String>) -> Result<Self, GenAiBuildError> {
        Self::builder(model).build()
    }

    /// A builder for the model of this name.
    pub fn builder(model: impl Into<String>) -> GenAiBuilder {
        GenAiBuilder::new(model.into())
    }
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
