//! Scripted models.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    LanguageModel,
    model::{BoxFuture, ModelError, ModelErrorKind, ModelReply, ModelRequest},
};

/// Replies with texts after a delay; the last one is repeated.
#[derive(Clone, Default)]
pub struct Told {
    texts: Vec<&'static str>,
    after: Option<Duration>,
    calls: Arc<AtomicUsize>,
}

impl Told {
    /// Replies with a valid line.
    pub fn well() -> Self {
        Self::texts(["{\"text\": \"hello\"}"])
    }

    pub fn texts(texts: impl Into<Vec<&'static str>>) -> Self {
        Self { texts: texts.into(), ..Self::default() }
    }

    pub fn after(self, time: Duration) -> Self {
        Self { after: Some(time), ..self }
    }

    /// The number of started calls.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

impl LanguageModel for Told {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            if let Some(time) = self.after {
                tokio::time::sleep(time).await;
            }
            Ok(ModelReply::new(self.texts[call.min(self.texts.len() - 1)]))
        })
    }
}

/// Never replies, and counts the calls in flight.
#[derive(Clone, Default)]
pub struct Silent(Arc<AtomicUsize>);

impl Silent {
    pub fn in_flight(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl LanguageModel for Silent {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let call = InFlight::begin(&self.0);
        Box::pin(async move {
            let _call = call;
            std::future::pending().await
        })
    }
}

struct InFlight(Arc<AtomicUsize>);

impl InFlight {
    fn begin(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Replies once, and is unreachable afterwards.
#[derive(Default)]
pub struct Breaking(Told);

impl Breaking {
    pub fn after_one() -> Self {
        Self(Told::well())
    }
}

impl LanguageModel for Breaking {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        if self.0.calls() == 0 {
            return self.0.reply(request);
        }
        let error = ModelError::new(ModelErrorKind::Connection, "the line is dead");
        Box::pin(std::future::ready(Err(error)))
    }
}
