//! Limits of a session.

use std::time::Duration;

/// The limits of a session.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Accepted replies in one turn.
    pub(crate) rounds: u32,
    /// Consecutive rejected replies before the turn fails.
    pub(crate) retries: u32,
    /// Calls in one act.
    pub(crate) calls: usize,
    /// Concurrent calls.
    pub(crate) concurrency: usize,
    pub(crate) reply_bytes: usize,
    pub(crate) result_bytes: usize,
    pub(crate) trace_bytes: usize,
    /// Time for one reply.
    pub(crate) timeout: Option<Duration>,
    /// Time for one tool call.
    pub(crate) tool_timeout: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 50,
            retries: 2,
            calls: 100,
            concurrency: 8,
            reply_bytes: 1 << 20,
            result_bytes: 64 << 10,
            trace_bytes: 4 << 20,
            timeout: None,
            tool_timeout: None,
        }
    }
}
