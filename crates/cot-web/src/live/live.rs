//! The pages that follow the store.

use std::time::Duration;

use tokio::sync::watch;

use super::topics::Topics;

/// The pages that follow the store.
pub(crate) struct Live {
    pub(super) topics: Topics,
    pub(super) period: Duration,
    closing: watch::Sender<bool>,
}

impl Live {
    pub(crate) fn new(period: Duration) -> Self {
        Self { topics: Topics::default(), period, closing: watch::Sender::new(false) }
    }

    /// Ends the streams of all open pages.
    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Returns what becomes `true` when the streams end.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}
