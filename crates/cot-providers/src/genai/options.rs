//! The options of a client.

use cot_model::AcceptedMedia;

use crate::http::{ResponseFormat, RetryPolicy, TimeLimits};

/// The options of a client.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) limits: TimeLimits,
    pub(super) retry: RetryPolicy,
    pub(super) max_reply_bytes: usize,
    pub(super) response_format: ResponseFormat,
    /// `None` until the builder knows the server.
    pub(super) explain_format: Option<bool>,
    /// `None` until the builder knows the provider.
    pub(super) accepts: Option<AcceptedMedia>,
    pub(super) cache_breakpoints: bool,
    pub(super) tool_calls: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: TimeLimits::default(),
            retry: RetryPolicy::default(),
            max_reply_bytes: 16 * 1024 * 1024,
            response_format: ResponseFormat::default(),
            explain_format: None,
            accepts: None,
            cache_breakpoints: true,
            tool_calls: true,
        }
    }
}
