//! A write of the journal.

use std::{
    sync::Arc,
    task::{Context, Poll, ready},
};

use cot_model::BoxFuture;
use cot_store::{Lease, Record, Store, StoreError, Transaction};

use crate::trace::{
    facts::{CommitFacts, SpanFacts},
    span_event::SpanEnd,
    span_ref::SpanRef,
};

/// A write of the journal that is in progress, in its span.
pub(super) struct Commit {
    write: BoxFuture<'static, Result<(), StoreError>>,
    span: Option<SpanRef>,
}

impl Commit {
    /// Prepares to append entries, in the transaction of a function if there is one. `run` is the span of the run.
    pub(super) fn new(
        (store, lease): (&Arc<dyn Store>, &Arc<Lease>),
        (transaction, records): (Option<Box<dyn Transaction>>, Vec<Record>),
        run: Option<&SpanRef>,
    ) -> Self {
        let span = run.and_then(|run| {
            let has_step = records.iter().any(|record| matches!(record, Record::Step(_)));
            let facts = CommitFacts { entries: records.len(), has_step };
            run.start_own_child(&SpanFacts::Commit(facts))
        });
        let (store, lease) = (Arc::clone(store), Arc::clone(lease));
        let write = Box::pin(async move {
            match transaction {
                Some(transaction) => match transaction.commit(&lease, records).await {
                    // It concerns this run: another run's commit may succeed.
                    Err(StoreError::Failed { what, source }) => {
                        Err(StoreError::Uncommitted { what, source })
                    }
                    committed => committed,
                },
                None => store.append(&lease, records).await,
            }
        });
        Self { write, span }
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StoreError>> {
        let Some(span) = &self.span else { return self.write.as_mut().poll(cx) };
        let mut polled = Poll::Pending;
        span.enter(&mut || polled = self.write.as_mut().poll(cx));
        let written = ready!(polled);
        if let Some(span) = self.span.take() {
            span.end(&SpanEnd::Commit(written.as_ref().copied()));
        }
        Poll::Ready(written)
    }
}

impl Drop for Commit {
    fn drop(&mut self) {
        if let Some(span) = self.span.take() {
            span.end(&SpanEnd::Dropped);
        }
    }
}
