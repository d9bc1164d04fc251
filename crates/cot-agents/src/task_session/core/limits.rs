//! How much a session does and takes.

use std::time::Duration;

/// The limits of a session.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Replies of a turn that are taken.
    pub(crate) rounds: u32,
    /// Replies in a row that may be refused before the turn fails.
    pub(crate) retries: u32,
    /// Calls of one act.
    pub(crate) calls: usize,
    /// Calls that run at the same time.
    pub(crate) concurrency: usize,
    pub(crate) reply_bytes: usize,
    pub(crate) result_bytes: usize,
    pub(crate) trace_bytes: usize,
    /// Time for one reply.
    pub(crate) timeout: Option<Duration>,
    /// Time for one call of a tool.
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
