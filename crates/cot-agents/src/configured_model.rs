//! A model with the settings of an agent.

use std::{sync::Arc, time::Duration};

use cot_model::{
    BoxFuture, DeltaSink, LanguageModel, ModelError, ModelErrorKind, ModelReply, ModelRequest,
};
use cot_runtime::internal::with_timeout;

/// A model with settings that replace those of each request, and a time limit of each call.
#[derive(Clone)]
pub(crate) struct ConfiguredModel {
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) temperature: Option<f64>,
    pub(crate) max_tokens: Option<u32>,
    pub(crate) timeout: Option<Duration>,
}

impl ConfiguredModel {
    pub(crate) fn new(model: impl LanguageModel + 'static) -> Self {
        Self { model: Arc::new(model), temperature: None, max_tokens: None, timeout: None }
    }

    fn request(&self, request: &ModelRequest) -> ModelRequest {
        let mut request = request.clone();
        let settings = Arc::make_mut(&mut request.settings);
        settings.temperature = self.temperature.or(settings.temperature);
        settings.max_tokens = self.max_tokens.or(settings.max_tokens);
        request
    }

    async fn in_time(
        &self,
        reply: impl Future<Output = Result<ModelReply, ModelError>>,
    ) -> Result<ModelReply, ModelError> {
        let reply = with_timeout(self.timeout, reply).await;
        reply.unwrap_or_else(|| {
            let limit = self.timeout.unwrap_or_default();
            let message = format!("no complete reply arrived within {limit:?}");
            Err(ModelError::new(ModelErrorKind::Timeout, message))
        })
    }
}

impl LanguageModel for ConfiguredModel {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let request = self.request(request);
        Box::pin(self.in_time(async move { self.model.reply(&request).await }))
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let request = self.request(request);
        Box::pin(self.in_time(async move { self.model.stream(&request, sink).await }))
    }

    fn inner(&self) -> Option<&dyn LanguageModel> {
        Some(&self.model)
    }
}
