//! A model that ends its program.

use std::{
    process,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use cot_core::{
    LanguageModel,
    model::{BoxFuture, DeltaSink, ModelError, ModelReply, ModelRequest},
};

use crate::say;

/// A model with realistic delays, which ends its program after a number of replies.
pub struct Mortal<M> {
    model: M,
    lives_for: Option<usize>,
    calls: AtomicUsize,
}

impl<M: LanguageModel> Mortal<M> {
    /// Creates a model that aborts the program in the call after so many replies; never with `None`.
    pub const fn new(model: M, lives_for: Option<usize>) -> Self {
        Self { model, lives_for, calls: AtomicUsize::new(0) }
    }

    async fn live(&self) {
        if Some(self.calls.fetch_add(1, Ordering::Relaxed)) == self.lives_for {
            say("dies", "in the middle of a call");
            process::abort();
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

impl<M: LanguageModel> LanguageModel for Mortal<M> {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            self.live().await;
            self.model.reply(request).await
        })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            self.live().await;
            self.model.stream(request, sink).await
        })
    }
    fn inner(&self) -> Option<&dyn LanguageModel> {
        Some(&self.model)
    }
}
