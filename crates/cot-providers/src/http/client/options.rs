//! The options of a client.

use cot_model::AcceptedMedia;
use cot_schema::Dialect;

use crate::http::{ResponseFormat, RetryPolicy, TimeLimits};

/// The options of a client.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) limits: TimeLimits,
    pub(crate) retry: RetryPolicy,
    pub(crate) max_body_bytes: usize,
    pub(crate) response_format: ResponseFormat,
    /// `None` until the builder knows the server.
    pub(crate) explain_format: Option<bool>,
    /// `None` until the builder knows the server.
    pub(crate) dialect: Option<Dialect>,
    /// `None` until the builder knows the server.
    pub(crate) accepts: Option<AcceptedMedia>,
    pub(crate) cache_breakpoints: bool,
    pub(crate) tool_calls: bool,
    /// `None` until the builder knows the dialect.
    pub(crate) format_with_tools: Option<bool>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: TimeLimits::default(),
            retry: RetryPolicy::default(),
            max_body_bytes: 16 * 1024 * 1024,
            response_format: ResponseFormat::default(),
            explain_format: None,
            dialect: None,
            accepts: None,
            cache_breakpoints: false,
            tool_calls: true,
            format_with_tools: None,
        }
    }
}
