//! The model of a session: another model with the settings and the time limit of the session.

use std::{sync::Arc, time::Duration};

use cot_model::{
    BoxFuture, DeltaSink, LanguageModel, ModelError, ModelErrorKind, ModelReply, ModelRequest,
};
use cot_runtime::internal::with_timeout;

/// A model with the settings and the time limit of a session.
#[derive(Clone)]
pub(super) struct SessionModel {
    pub(super) model: Arc<dyn LanguageModel>,
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: Option<u32>,
    pub(super) timeout: Option<Duration>,
}

impl SessionModel {
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

impl LanguageModel for SessionModel {
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

/// A model that answers nothing, so that a stored turn stops and can be abandoned.
pub(super) struct AbandonedModel;

impl LanguageModel for AbandonedModel {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Err(ModelError::new(ModelErrorKind::Other, "the turn is abandoned")) })
    }
}
