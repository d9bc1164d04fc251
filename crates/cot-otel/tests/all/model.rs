//! The model of the tests.

use std::{sync::Arc, time::Duration};

use cot_core::model::{
    BoxFuture, DeltaSink, LanguageModel, ModelError, ModelInfo, ModelReply, ModelRequest,
    TraceContext,
};

type Answer = dyn Fn(&ModelRequest) -> Result<ModelReply, ModelError> + Send + Sync;
type Seen = dyn Fn(Option<TraceContext>) + Send + Sync;

/// A model that tells its provider, name and address, and answers by a function after a while.
#[derive(Clone)]
pub(crate) struct TestModel {
    answer: Arc<Answer>,
    delay: Duration,
    seen: Arc<Seen>,
}

impl TestModel {
    pub(crate) fn new(
        answer: impl Fn(&ModelRequest) -> Result<ModelReply, ModelError> + Send + Sync + 'static,
    ) -> Self {
        Self { answer: Arc::new(answer), delay: Duration::from_millis(5), seen: Arc::new(drop) }
    }

    /// Answers by the replies in order.
    pub(crate) fn replies(replies: impl IntoIterator<Item = impl Into<ModelReply>>) -> Self {
        let replies: Vec<ModelReply> = replies.into_iter().map(Into::into).collect();
        let next = std::sync::Mutex::new(replies.into_iter());
        Self::new(move |_| Ok(next.lock().unwrap().next().expect("another reply")))
    }

    pub(crate) fn delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Calls a function with the context that is current while the model is called.
    pub(crate) fn seen(self, seen: impl Fn(Option<TraceContext>) + Send + Sync + 'static) -> Self {
        Self { seen: Arc::new(seen), ..self }
    }
}

impl LanguageModel for TestModel {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            (self.seen)(TraceContext::current());
            tokio::time::sleep(self.delay).await;
            (self.answer)(request)
        })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            let reply = self.reply(request).await?;
            for chunk in reply.text.split_inclusive(' ') {
                sink.push(chunk);
                tokio::time::sleep(self.delay).await;
            }
            Ok(reply)
        })
    }

    fn calls_tools(&self) -> bool {
        true
    }

    fn info(&self) -> ModelInfo<'_> {
        ModelInfo::new().provider("openai").model("gpt-test").address("models.test", 8443)
    }
}
