//! Requests to cancel a run, which the store keeps for its driver.

use std::{
    mem,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use cot_model::BoxFuture;
use cot_store::{CancelRequest, RunId, Store};

use crate::clock;

/// How long a driver waits until it asks a store again that failed to tell whether there is a request.
const RETRY_TIME: Duration = Duration::from_secs(1);

/// How a driver learns of a request.
#[derive(Default)]
pub(crate) enum CancelWatch {
    /// It has not asked the store yet.
    #[default]
    Unasked,
    /// The store had a request when the run was opened.
    Requested(CancelRequest),
    /// The store resolves the future when there is a request.
    Waiting(BoxFuture<'static, CancelRequest>),
    /// The request was applied, or the run has ended.
    Over,
}

impl CancelWatch {
    /// Polls for a request to cancel a run, and returns it once.
    pub(super) fn poll(
        &mut self,
        store: &Arc<dyn Store>,
        run: &RunId,
        cx: &mut Context<'_>,
    ) -> Poll<CancelRequest> {
        if matches!(self, Self::Unasked) {
            let (store, run) = (Arc::clone(store), run.clone());
            *self = Self::Waiting(Box::pin(async move {
                loop {
                    // A run that could go on must not end by an error here.
                    match store.wait_for_cancel(&run).await {
                        Ok(request) => return request,
                        Err(_) => clock::wait(RETRY_TIME).await,
                    }
                }
            }));
        }
        let request = match self {
            Self::Waiting(request) => ready!(request.as_mut().poll(cx)),
            Self::Over => return Poll::Pending,
            _ => match mem::replace(self, Self::Over) {
                Self::Requested(request) => request,
                _ => return Poll::Pending,
            },
        };
        *self = Self::Over;
        Poll::Ready(request)
    }
}
