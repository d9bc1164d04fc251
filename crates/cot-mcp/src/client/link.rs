//! The state of a connection that its transport and its users share.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio_util::sync::CancellationToken;

/// The state of a connection.
#[derive(Debug, Default)]
pub(crate) struct Link {
    /// Cancelled when no more messages can be received.
    pub(crate) lost: CancellationToken,
    /// Cancelled when the transport is closed, and the program of the server has ended.
    pub(crate) ended: CancellationToken,
    /// Whether the connection was closed because of a message that was too long.
    too_long: AtomicBool,
    /// Whether a message could not be sent, so that the next call needs another connection.
    failed: AtomicBool,
    /// Cancelled when the standard error of the program ends, or is no longer read.
    pub(crate) all_written: CancellationToken,
    /// The end of what the program wrote to its standard error.
    written: Mutex<VecDeque<u8>>,
}

/// How much of the standard error of a program is kept.
const MAX_WRITTEN: usize = 2000;

impl Link {
    /// Returns whether calls need another connection.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.is_cancelled() || self.failed.load(Ordering::Relaxed)
    }

    /// Makes the next call connect again. Calls in flight continue.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn refuse_long_message(&self) {
        self.too_long.store(true, Ordering::Relaxed);
    }

    pub(crate) fn has_refused_long_message(&self) -> bool {
        self.too_long.load(Ordering::Relaxed)
    }

    /// Adds bytes that the program wrote to its standard error.
    pub(crate) fn add_written(&self, bytes: &[u8]) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.extend(bytes);
        let excess = written.len().saturating_sub(MAX_WRITTEN);
        written.drain(..excess);
    }

    /// Returns the last lines that the program wrote to its standard error, in one line.
    pub(crate) fn written(&self) -> String {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(written.make_contiguous()).into_owned();
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(LAST_LINES)..].join(" | ")
    }
}

/// The number of lines of the standard error that messages repeat.
const LAST_LINES: usize = 5;
