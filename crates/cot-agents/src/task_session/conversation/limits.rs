//! Limits of a session.

/// The limits of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLimits {
    /// The replies of the model in one turn. Defaults to 50.
    pub rounds: u32,
    /// The consecutive rejected replies after which the model is asked again. Defaults to 2.
    pub retries: u32,
    /// The calls in one act. Defaults to 100.
    pub calls: usize,
    /// The length of a reply in bytes. Defaults to 1 MiB. A longer reply is cancelled while it is received.
    pub reply_bytes: usize,
    /// The length of the trace in bytes when the model is asked. Defaults to 4 MiB.
    pub trace_bytes: usize,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self { rounds: 50, retries: 2, calls: 100, reply_bytes: 1 << 20, trace_bytes: 4 << 20 }
    }
}
