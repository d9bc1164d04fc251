//! Writes the beginnings of replies to the store, beside the journal.

use std::{sync::Arc, task::Context, time::Duration};

use cot_model::BoxFuture;
use cot_store::{Lease, Store};

use crate::{clock::Deadline, driver::drafts::DraftBoard};

/// The time between two writes.
const PAUSE: Duration = Duration::from_millis(300);

/// The writes of the drafts of a run.
#[derive(Default)]
pub(super) struct DraftWrites {
    write: Option<BoxFuture<'static, ()>>,
    /// When the next write may start.
    next: Option<Deadline>,
}

impl DraftWrites {
    /// Starts or continues the write of the drafts that have changed. Errors are ignored.
    // Without a timer, which would need a runtime: the chunks of replies poll the driver anyhow.
    pub(super) fn poll(
        &mut self,
        store: &Arc<dyn Store>,
        lease: Option<&Arc<Lease>>,
        board: &DraftBoard,
        cx: &mut Context<'_>,
    ) {
        loop {
            if let Some(write) = &mut self.write {
                if write.as_mut().poll(cx).is_pending() {
                    return;
                }
                self.write = None;
            }
            if self.next.is_some_and(|next| !next.is_over()) {
                return;
            }
            let changed = board.take_changed();
            let Some(lease) = lease.filter(|_| !changed.is_empty()) else { return };
            self.next = Some(Deadline::after(PAUSE));
            let (store, lease) = (Arc::clone(store), Arc::clone(lease));
            self.write = Some(Box::pin(async move {
                for draft in changed {
                    let _ = store.put_draft(&lease, draft).await;
                }
            }));
        }
    }
}
