//! A model that counts what a trial pays, and asks the cache first.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use cot_engine::Process;
use cot_model::{
    BoxFuture, DeltaSink, Digest, LanguageModel, ModelError, ModelReply, ModelRequest, Usage,
};
use cot_runtime::{Runner, internal::wrap_models};

use super::reply_cache::{ReplyCache, key};

/// What the calls of an eval have cost that were not answered by its cache.
#[derive(Debug, Clone, Default)]
pub(super) struct Paid(Arc<Mutex<Usage>>);

impl Paid {
    pub(super) fn usage(&self) -> Usage {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, usage: Usage) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += usage;
    }
}

/// What the models of a trial share.
pub(super) struct Meter {
    pub(super) paid: Paid,
    pub(super) cache: Option<ReplyCache>,
    pub(super) variant: Arc<str>,
    pub(super) repeat: u32,
    /// The seed of requests that have none, in the first repeat.
    pub(super) seed: Option<u64>,
    /// How often the trial has made each request.
    pub(super) made: Mutex<HashMap<Digest, u32>>,
}

impl Meter {
    /// Has the models of a runner counted, and answered by the cache.
    pub(super) fn wrap<P: Process>(self: &Arc<Self>, runner: Runner<P>) -> Runner<P> {
        wrap_models(runner, |inner| MeteredModel { inner, meter: Arc::clone(self) })
    }

    /// Returns a request with the seed of the repeat.
    fn seeded<'a>(&self, request: &'a ModelRequest) -> Cow<'a, ModelRequest> {
        let first = request.settings.seed.or(self.seed);
        let seed = first.map(|first| first.wrapping_add(u64::from(self.repeat.saturating_sub(1))));
        if seed == request.settings.seed {
            return Cow::Borrowed(request);
        }
        let mut request = request.clone();
        Arc::make_mut(&mut request.settings).seed = seed;
        Cow::Owned(request)
    }
}

/// A model of a trial.
struct MeteredModel {
    inner: Arc<dyn LanguageModel>,
    meter: Arc<Meter>,
}

impl MeteredModel {
    fn key(&self, request: &ModelRequest) -> Option<Digest> {
        let Meter { cache, variant, repeat, made, .. } = &*self.meter;
        cache.as_ref()?;
        let key = |times| key(request, self.inner.info(), variant, (*repeat, times));
        let first = key(1)?;
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        let times = made.entry(first).or_default();
        *times += 1;
        if *times == 1 { Some(first) } else { key(*times) }
    }

    async fn call<'a>(
        &'a self,
        request: &'a ModelRequest,
        call: impl FnOnce() -> BoxFuture<'a, Result<ModelReply, ModelError>> + Send,
        known: impl FnOnce(&ModelReply) + Send,
    ) -> Result<ModelReply, ModelError> {
        let key = self.key(request);
        let Meter { paid, cache, .. } = &*self.meter;
        if let Some(reply) = key.as_ref().and_then(|key| cache.as_ref()?.find(key)) {
            known(&reply);
            return Ok(reply);
        }
        let replied = call().await;
        match &replied {
            Ok(reply) => paid.add(reply.usage),
            Err(error) => paid.add(error.usage().unwrap_or_else(Usage::uncounted_call)),
        }
        if let (Ok(reply), Some(key), Some(cache)) = (&replied, key, cache) {
            cache.add(key, reply);
        }
        replied
    }
}

impl LanguageModel for MeteredModel {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            let request = &*self.meter.seeded(request);
            self.call(request, || self.inner.reply(request), |_| {}).await
        })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            let request = &*self.meter.seeded(request);
            let call = || self.inner.stream(request, sink);
            self.call(request, call, |reply| sink.push(&reply.text)).await
        })
    }

    fn inner(&self) -> Option<&dyn LanguageModel> {
        Some(&*self.inner)
    }
}
