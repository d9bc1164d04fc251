//! A model with the settings of an agent.

use std::{sync::Arc, time::Duration};

use cot_model::{
    BoxFuture, DeltaSink, LanguageModel, ModelError, ModelErrorKind, ModelReply, ModelRequest,
    ModelSettings,
};
use cot_runtime::internal::with_timeout;

/// A model with the settings of its calls, which the processes of agents do not have, and a time limit of each call.
#[derive(Clone)]
pub(crate) struct ConfiguredModel {
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) settings: Arc<ModelSettings>,
    pub(crate) timeout: Option<Duration>,
}

impl ConfiguredModel {
    pub(crate) fn new(model: impl LanguageModel + 'static) -> Self {
        Self { model: Arc::new(model), settings: Arc::default(), timeout: None }
    }

    fn request(&self, request: &ModelRequest) -> ModelRequest {
        let mut request = request.clone();
        request.settings = Arc::clone(&self.settings);
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
