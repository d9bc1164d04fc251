//! The retry policy of calls.

use std::time::Duration;

/// The retry policy of a function, or of a model that can't be reached.
#[derive(Debug, Clone, Copy)]
pub struct RetryDefinition {
    /// The maximum number of times that a model is called again after it could not be reached; `None` means
    /// 0. The retries of a function are the `max_retries` of its task.
    pub calls: Option<u32>,
    /// The first pause, which doubles with each attempt, and the maximum pause.
    pub backoff: (Duration, Duration),
    /// Whether a timeout is retried. The time limit then applies to each attempt.
    pub timeouts: bool,
}

impl RetryDefinition {
    /// The default policy.
    pub const DEFAULT: Self = Self {
        calls: None,
        backoff: (Duration::from_millis(200), Duration::from_secs(30)),
        timeouts: false,
    };

    /// Returns the maximum pause after a number of failed attempts.
    pub(crate) fn pause(&self, failed: u32) -> Duration {
        let (first, longest) = self.backoff;
        let doublings = failed.saturating_sub(1);
        let factor = 2_u32.checked_pow(doublings).unwrap_or(u32::MAX);
        first.saturating_mul(factor).min(longest)
    }
}
