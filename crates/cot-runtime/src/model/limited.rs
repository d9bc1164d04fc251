//! A wrapper that limits the concurrent calls of a model.

use std::{fmt, sync::Arc};

use cot_model::{BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest};
use tokio::sync::Semaphore;

/// A model with a limited number of concurrent calls; further calls wait in order. Made by
/// [`ModelExt::limited`](crate::ModelExt::limited). Clones share the limit.
#[derive(Clone)]
pub struct LimitedModel<M> {
    model: M,
    calls: usize,
    permits: Arc<Semaphore>,
}

impl<M> LimitedModel<M> {
    pub(super) fn new(model: M, calls: usize) -> Self {
        let calls = calls.clamp(1, Semaphore::MAX_PERMITS);
        Self { model, calls, permits: Arc::new(Semaphore::new(calls)) }
    }

    /// Waits for a permit and holds it for the duration of the call. The permit is released also when the
    /// call is dropped.
    async fn with_permit<T>(&self, call: impl Future<Output = T>) -> T {
        // An error would mean that the semaphore is closed, which never happens.
        let _permit = self.permits.acquire().await;
        call.await
    }
}

impl<M: LanguageModel> LanguageModel for LimitedModel<M> {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(self.with_permit(async move { self.model.reply(request).await }))
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(self.with_permit(async move { self.model.stream(request, sink).await }))
    }

    fn inner(&self) -> Option<&dyn LanguageModel> {
        Some(&self.model)
    }
}

impl<M: fmt::Debug> fmt::Debug for LimitedModel<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LimitedModel")
            .field("model", &self.model)
            .field("calls", &self.calls)
            .field("free", &self.permits.available_permits())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::Mutex,
        task::{Context, Poll, Waker},
    };

    use cot_model::ScriptedModel;

    use super::*;
    use crate::model::{ext::ModelExt, record::recording_sink};

    /// A model whose replies wait for permits of the test, and that records which requests it has started.
    #[derive(Clone, Default)]
    struct Gate(Arc<Inner>);

    struct Inner {
        started: Mutex<Vec<String>>,
        open: Semaphore,
    }

    impl Default for Inner {
        fn default() -> Self {
            Self { started: Mutex::default(), open: Semaphore::new(0) }
        }
    }

    impl Gate {
        fn started(&self) -> String {
            self.0.started.lock().unwrap().concat()
        }
    }

    impl LanguageModel for Gate {
        fn reply<'a>(
            &'a self,
            request: &'a ModelRequest,
        ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
            Box::pin(async move {
                self.0.started.lock().unwrap().push(request.prompt().to_owned());
                self.0.open.acquire().await.unwrap().forget();
                Ok(request.prompt().into())
            })
        }
    }

    type Call<'a> = BoxFuture<'a, Result<ModelReply, ModelError>>;

    fn is_done(call: &mut Call<'_>) -> bool {
        match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => answer.is_ok(),
            Poll::Pending => false,
        }
    }

    #[test]
    fn further_calls_wait_in_order_on_all_clones() {
        let gate = Gate::default();
        let model = gate.clone().limited(2);
        let clone = model.clone();
        let requests = ["a", "b", "c", "d"].map(ModelRequest::new);
        let mut calls: Vec<Call<'_>> = Vec::new();
        for (request, model) in requests.iter().zip([&model, &clone, &model, &clone]) {
            calls.push(model.reply(request));
        }
        assert!(!calls.iter_mut().any(is_done));
        assert_eq!(gate.started(), "ab");

        gate.0.open.add_permits(1);
        assert!(is_done(&mut calls[0]));
        assert!(!is_done(&mut calls[3]) && !is_done(&mut calls[2]));
        assert_eq!(gate.started(), "abc", "the first come first");
    }

    #[test]
    fn dropped_calls_give_their_turn_to_the_next() {
        let gate = Gate::default();
        let model = gate.clone().limited(1);
        let requests = ["a", "b", "c"].map(ModelRequest::new);
        let mut calls: Vec<Call<'_>> = requests.iter().map(|r| model.reply(r)).collect();
        assert!(!calls.iter_mut().any(is_done));
        drop(calls.remove(1));
        drop(calls.remove(0));
        assert!(!calls.iter_mut().any(is_done));
        assert_eq!(gate.started(), "ac");
        drop(calls);
        assert_eq!(model.permits.available_permits(), 1);
    }

    #[tokio::test]
    async fn any_number_is_a_limit_and_streams_pass() {
        for (calls, shown) in [(0, 1), (3, 3), (usize::MAX, Semaphore::MAX_PERMITS)] {
            let model = ScriptedModel::new(["abc"]).streaming(2).limited(calls);
            let (sink, record) = recording_sink();
            let reply = model.stream(&ModelRequest::new(""), &sink).await.unwrap();
            assert_eq!(
                (reply.text.as_str(), record.lock().unwrap().concat()),
                ("abc", "abc".into())
            );
            let debug = format!("{model:?}");
            assert!(debug.ends_with(&format!("calls: {shown}, free: {shown} }}")), "{debug}");
        }
    }
}
