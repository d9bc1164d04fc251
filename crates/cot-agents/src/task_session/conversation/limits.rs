//! Limits of a session.

/// The limits of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Accepted replies in one turn.
    pub(crate) rounds: u32,
    /// Consecutive rejected replies before the turn stops.
    pub(crate) retries: u32,
    /// Calls in one act.
    pub(crate) calls: usize,
    pub(crate) reply_bytes: usize,
    pub(crate) trace_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds: 50, retries: 2, calls: 100, reply_bytes: 1 << 20, trace_bytes: 4 << 20 }
    }
}
