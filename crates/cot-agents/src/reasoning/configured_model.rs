//! A model with the settings of a reasoner.

use std::sync::Arc;

use cot_model::{
    AcceptedMedia, BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest,
};
use cot_schema::Dialect;

/// The settings that replace those of each request.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settings {
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: Option<u32>,
}

/// A model with settings for its requests.
pub(super) struct ConfiguredModel {
    pub(super) model: Arc<dyn LanguageModel>,
    pub(super) settings: Settings,
}

impl ConfiguredModel {
    fn configure(&self, request: &ModelRequest) -> ModelRequest {
        let mut request = request.clone();
        let Settings { temperature, max_tokens } = self.settings;
        request.settings.temperature = temperature.or(request.settings.temperature);
        request.settings.max_tokens = max_tokens.or(request.settings.max_tokens);
        request
    }
}

impl LanguageModel for ConfiguredModel {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { self.model.reply(&self.configure(request)).await })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { self.model.stream(&self.configure(request), sink).await })
    }

    fn dialect(&self) -> Dialect {
        self.model.dialect()
    }

    fn accepted_media(&self) -> AcceptedMedia {
        self.model.accepted_media()
    }

    fn calls_tools(&self) -> bool {
        self.model.calls_tools()
    }

    fn tool_dialect(&self) -> Dialect {
        self.model.tool_dialect()
    }
}
