//! The client of the server that is measured.

use std::sync::Arc;

use cot_core::{
    LanguageModel,
    model::{
        BoxFuture, DeltaSink, ModelError, ModelReply, ModelRequest, OpenAiCompatible,
        ResponseFormat,
    },
};
use serde::{Deserialize, Serialize};

use crate::ask::BenchError;

/// The most tokens of a reply. The longest right value has half of them.
const MAX_TOKENS: u32 = 384;

/// How the model learns the format of its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Setting {
    /// By the prompt alone.
    Prompt,
    /// By the schema alone, which the server makes a grammar of.
    Schema,
    /// By the schema, and by an explanation in the prompt.
    Explained,
}

impl Setting {
    pub(crate) const ALL: [Self; 3] = [Self::Prompt, Self::Schema, Self::Explained];
}

/// A model on a server, and how it is sampled.
#[derive(Debug, Clone, Default)]
pub(crate) struct Server {
    pub(crate) base_url: String,
    pub(crate) model: String,
    pub(crate) seed: u64,
    pub(crate) temperature: f64,
}

impl Server {
    /// Creates a client.
    ///
    /// # Errors
    ///
    /// If the base URL is invalid.
    pub(crate) fn client(&self, setting: Setting) -> Result<Arc<dyn LanguageModel>, BenchError> {
        let builder = OpenAiCompatible::builder(&self.base_url, &self.model);
        let builder = match setting {
            Setting::Prompt => builder.response_format(ResponseFormat::PromptOnly),
            Setting::Schema => builder.explain_format(false),
            Setting::Explained => builder.explain_format(true),
        };
        let (seed, temperature) = (self.seed, self.temperature);
        Ok(Arc::new(Sampled { client: builder.build()?, seed, temperature }))
    }
}

/// A client whose requests have a seed, a temperature and a limit.
struct Sampled {
    client: OpenAiCompatible,
    seed: u64,
    temperature: f64,
}

impl Sampled {
    fn request(&self, request: &ModelRequest) -> ModelRequest {
        let mut request = request.clone();
        let settings = Arc::make_mut(&mut request.settings);
        settings.seed = Some(self.seed);
        settings.temperature = Some(self.temperature);
        settings.max_tokens = Some(MAX_TOKENS);
        request
    }
}

impl LanguageModel for Sampled {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { self.client.reply(&self.request(request)).await })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { self.client.stream(&self.request(request), sink).await })
    }

    fn inner(&self) -> Option<&dyn LanguageModel> {
        Some(&self.client)
    }
}
