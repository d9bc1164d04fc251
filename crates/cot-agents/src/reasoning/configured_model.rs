//! A model with the settings of a reasoner.

use std::sync::Arc;

use cot_model::{BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest};

/// The settings that replace those of each request.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settings {
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: Option<u32>,
}

/// A model with settings for its requests, which have no schema, no media and no tools.
pub(super) struct ConfiguredModel {
    pub(super) model: Arc<dyn LanguageModel>,
    pub(super) settings: Settings,
}

impl ConfiguredModel {
    fn configure(&self, request: &ModelRequest) -> ModelRequest {
        let mut request = request.clone();
        let Settings { temperature, max_tokens } = self.settings;
        let settings = Arc::make_mut(&mut request.settings);
        settings.temperature = temperature.or(settings.temperature);
        settings.max_tokens = max_tokens.or(settings.max_tokens);
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

    fn inner(&self) -> Option<&dyn LanguageModel> {
        Some(&self.model)
    }
}
